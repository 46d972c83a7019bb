/**
 * The same for Node: {@link sniffedCsv} as a Duplex for `pipe` and `pipeline`, {@link readCsvFile} and
 * {@link sniffCsvFile} for files.
 *
 * @module sniffed-csv/node
 */
export type { CsvRows } from "../read.js";
export { type CsvDuplex, type CsvDuplexEvents, type CsvDuplexMembers, sniffedCsv } from "./duplex.js";
export { type CsvFileOptions, readCsvFile, sniffCsvFile } from "./file.js";
