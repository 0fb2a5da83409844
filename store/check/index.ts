// Whether the rows of a store agree with each other, and what is done where they do not. Begin with store-check.ts.
export type { CheckFindings } from './findings.ts';
export { type CheckOptions, checkStore } from './store-check.ts';
