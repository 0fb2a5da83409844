// Checks whether the rows of a store agree with each other, and repairs them. Read store-check.ts, then
// findings.ts.
export type { CheckFindings } from './findings.ts';
export { prepareSalvaged } from './salvaged-store.ts';
export { type CheckOptions, checkStore } from './store-check.ts';
