export type { CsvRows } from "../read.js";
export { type CsvDuplex, type CsvDuplexEvents, sniffedCsv } from "./duplex.js";
export { readCsvFile, sniffCsvFile } from "./file.js";
