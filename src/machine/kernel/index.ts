export { castBooleans, castDates, castNumbers, gatherText, setCells } from "./cast-column";
export { find, position, state } from "./find-events";
export {
  crEnds,
  crlfEnds,
  fieldCount,
  lfEnds,
  linesBefore,
  nextRecord,
  scanRecords,
  setDialect,
  unfinished,
} from "./scan-records";
