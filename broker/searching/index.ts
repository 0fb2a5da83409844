// From a query to an answer with described hits: synonyms, corrections, cached answers, frozen lists, counts.
// Read query-manager.ts, then search-answer.ts and hit-description.ts.
export { AnswerCache } from './answer-cache.ts';
export {
  statisticsBounds,
  statisticsFrom,
  statisticsText,
  summedStatistics,
} from './collection-statistics.ts';
export { ExampleQueries } from './example-queries.ts';
export { hitLines } from './hit-description.ts';
export { QueryManager } from './query-manager.ts';
export { ResultTemplates } from './result-templates.ts';
export type {
  Collecting,
  RankAnswer,
  SearchAnswer,
  SearchHit,
  SearchParameters,
  SourceSummary,
} from './search-answer.ts';
export { SearchLog, type SearchReport } from './search-log.ts';
export { Synonyms } from './synonyms.ts';
