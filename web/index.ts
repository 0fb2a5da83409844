export { adminPageRoutes } from './admin-page.ts';
export { cacheStatusRoutes } from './cache-status-page.ts';
export { webErrors } from './errors.ts';
export { searchPageRoutes } from './search-page.ts';
export { withStatusPage } from './status-page.ts';
export { tablePageRoute } from './table-page.ts';
