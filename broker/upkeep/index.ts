// Dead links and duplicate URLs. Read link-checks.ts, then duplicate-watch.ts.
export { DuplicateWatch } from './duplicate-watch.ts';
export { type Duplicates, findDuplicates } from './duplicates.ts';
export { type LinkCheck, LinkChecks } from './link-checks.ts';
