// What an operator does with a Broker: over HTTP, and through the same routes from the command line and the page.
import type { Route } from '../../http/index.ts';
import type { Administration } from './administration.ts';
import { objectRoutes } from './object-routes.ts';
import { sourceRoutes } from './source-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { upkeepRoutes } from './upkeep-routes.ts';

export {
  Administration,
  type AdministrationOptions,
  type RecentLine,
  type RecentLog,
} from './administration.ts';
export { type AuditEntry, AuditTrail } from './audit-trail.ts';
export { auditedRoutes } from './audited-routes.ts';
export type { DeletionReport } from './deletion.ts';
export type { ListedSource } from './source-orders.ts';
export type { Statistics } from './statistics.ts';

/** What administers a Broker over HTTP. */
export function administrationRoutes(administration: Administration): readonly Route[] {
  return [
    ...sourceRoutes(administration),
    ...objectRoutes(administration),
    ...upkeepRoutes(administration),
    ...tokenRoutes(administration),
  ];
}
