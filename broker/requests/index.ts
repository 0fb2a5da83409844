// Reads the parameters and bodies of a Broker's HTTP requests. Read search-parameters.ts, then json-body.ts.
export { hitSelection } from './answer-fields.ts';
export { JsonBody } from './json-body.ts';
export {
  bodySchema,
  choiceParameter,
  count,
  countParameter,
  flag,
  flagParameter,
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
export {
  searchAnswer,
  searchAnswerWith,
  searchHit,
  severalAnswers,
  severalRequests,
  termStatistics,
} from './search-schemas.ts';
export { askedByObject, severalSearches } from './several-searches.ts';
