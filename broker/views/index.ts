// Named queries as sources: their receivers get every object that enters a view, changes in it or leaves it.
// Read views.ts, then query-index.ts (how one changed object is checked against 100,000 standing queries).
export { QueryIndex } from './query-index.ts';
export { viewRoutes } from './view-routes.ts';
export { type ViewStatus, Views } from './views.ts';
export { Webhooks } from './webhooks.ts';
