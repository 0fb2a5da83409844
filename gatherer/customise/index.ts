// An operator's changes to summarising: line patterns, programs, rules after summarising, published URLs and access
// methods. Read summary-customisation.ts, then post-rules.ts and read-customisation.ts (configuration to plain data).
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
