/**
 * A sniff in the words of other tools: {@link exportSniff}.
 *
 * @module sniffed-csv/export
 */
export {
  EXPORT_TARGETS,
  type ExportOptions,
  type ExportTarget,
  exportSniff,
  SCHEMA_TARGETS,
  TABLE_TARGETS,
} from "./export-sniff.js";
