// The pages people see. Every page is a tree built by functions that know neither HTML nor the browser: the server
// writes the tree as text, the browser's script makes it part of the document, and nothing is drawn by two hands.
// A page knows only the HTTP API that everyone has; client/ holds what also runs in the browser.
export type { AdminApi } from './admin-api.ts';
export { type AdminPageOptions, adminPageRoutes } from './admin-page.ts';
export { type CacheStatusOptions, cacheStatusRoutes } from './cache-status-page.ts';
export { webErrors } from './errors.ts';
export { type SearchPageOptions, searchPageRoutes } from './search-page.ts';
export { type StatusPageOptions, withStatusPage } from './status-page.ts';
export { tablePageRoute } from './table-page.ts';
