// A Gatherer (gatherer.ts) runs over its roots once; GatherLoop keeps the store fresh. Read gatherer.ts, then
// gather-loop.ts; why.ts explains a single URL.
export { GatherLoop } from './gather-loop.ts';
export { type Annotated, Gatherer, type GathererOptions } from './gatherer.ts';
export { checkGatherer, type GathererCheck, openRows } from './gatherer-check.ts';
export { LoadBudget } from './load-budget.ts';
export type { WhyReport } from './why.ts';
