export { EXPORT_TARGETS, type ExportOptions, type ExportTarget, exportSniff } from "./export-sniff.js";
