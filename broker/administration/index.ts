// An operator's work on a Broker over HTTP, and through the same routes from the command line and the page.
// Read administration.ts, then source-orders.ts and audit-trail.ts.
export { Administration, type RecentLine, type RecentLog } from './administration.ts';
export { administrationRoutes } from './administration-routes.ts';
export { type AuditEntry, AuditTrail } from './audit-trail.ts';
export { auditedRoutes } from './audited-routes.ts';
export type { DeletionReport } from './deletion.ts';
export type { ListedSource } from './source-orders.ts';
export type { Statistics } from './statistics.ts';
export { StoreCounts } from './store-counts.ts';
