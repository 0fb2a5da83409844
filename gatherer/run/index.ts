export { GatherLoop } from './gather-loop.ts';
export { type Annotated, Gatherer, type GathererOptions } from './gatherer.ts';
export { LoadBudget } from './load-budget.ts';
export type { WhyReport } from './why.ts';
