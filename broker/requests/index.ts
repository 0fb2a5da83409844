// Reads the parameters and bodies of a Broker's HTTP requests. Read search-parameters.ts, then json-body.ts.
export { JsonBody } from './json-body.ts';
export {
  bodySchema,
  count,
  countParameter,
  flag,
  limitOf,
  pathParameter,
  text,
  textParameter,
  texts,
  unkept,
} from './route-words.ts';
export {
  type AskedBy,
  searchParameters,
  searchParameterTable,
  tableParameterTable,
  tableQuestion,
  wantsLines,
} from './search-parameters.ts';
