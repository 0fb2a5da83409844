// What an operator or researcher changes in how documents are summarised: line patterns, programs, rules after
// summarising, published URLs and access methods. Everything is plain data until one of the classes takes it.
export type { AccessMethod } from './access-methods.ts';
export { accessUrlFault, attributesIn, rewriteFault } from './address-faults.ts';
export { comparisonsIn } from './condition.ts';
export type { PostRule, RuleFailure } from './post-rules.ts';
export type { SummariserProgram } from './program-summariser.ts';
export {
  type NamedModule,
  readAccessMethods,
  readQuickSum,
  readRewrites,
  readRules,
  readSummarisers,
} from './read-customisation.ts';
export { type ConfigRecord, RecordReader } from './record-reader.ts';
export { type Customisation, noCustomisation, SummaryCustomisation } from './summary-customisation.ts';
export { type UrlRewrite, UrlRewriter } from './url-rewrite.ts';
