/**
 * A sniff in the words of other tools: {@link exportSniff}.
 *
 * @module sniffed-csv/export
 */
export { EXPORT_TARGETS, type ExportOptions, type ExportTarget, exportSniff } from "./export-sniff.js";
