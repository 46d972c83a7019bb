export type { CsvRows } from "../read.js";
export { type CsvDuplex, type CsvDuplexEvents, type CsvDuplexMembers, sniffedCsv } from "./duplex.js";
export { readCsvFile, sniffCsvFile } from "./file.js";
