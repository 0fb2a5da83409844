export { JsonBody } from './json-body.ts';
export {
  type AskedBy,
  searchParameters,
  searchParameterTable,
  tableParameterTable,
  tableQuestion,
  wantsLines,
} from './search-parameters.ts';
