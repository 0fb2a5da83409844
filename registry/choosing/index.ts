// Which Brokers to ask: the summary of a Broker's content, and the choice by summaries. Pure. Read
// content-summary.ts, then server-selector.ts.

export {
  type ContentSummary,
  changedShare,
  isWorthSending,
  printSummary,
  readSummary,
} from './content-summary.ts';
export { type RankedServer, ServerSelector } from './server-selector.ts';
export { type SummaryFacts, summarise } from './telling-words.ts';
