export { DuplicateWatch } from './duplicate-watch.ts';
export { type Duplicates, findDuplicates } from './duplicates.ts';
export { type LinkCheck, LinkChecks } from './link-checks.ts';
