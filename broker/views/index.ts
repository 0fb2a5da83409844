// Named queries as sources: who is told when an object enters a view, changes in it or leaves it. Read views.ts, then
// query-index.ts (how 100,000 standing queries are held against one changed object).
export { QueryIndex } from './query-index.ts';
export { viewRoutes } from './view-routes.ts';
export { type ViewStatus, Views } from './views.ts';
export { Webhooks } from './webhooks.ts';
