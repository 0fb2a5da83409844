// The export `garner/query`: the query language of a Broker as a parser, a printer and a predicate. Pure.
export { GarnerError, isGarnerError, type Retry } from '../kernel/index.ts';
export {
  compileQuery,
  detectLanguage,
  type Language,
  type LeafNode,
  languages,
  type MatchedLine,
  matchedLines,
  matches,
  type NearNode,
  type ParseContext,
  type ParsedQuery,
  type PhraseNode,
  type PrefixNode,
  parseQuery,
  printQuery,
  type QueryNode,
  type QueryOptions,
  type RangeNode,
  StepBudget,
  type TextLeaf,
  termsOf,
  type WordLeaf,
  type WordNode,
} from '../query/index.ts';
export type { SummaryObject } from '../soif/index.ts';
