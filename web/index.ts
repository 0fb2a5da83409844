export { webErrors } from './errors.ts';
export { adminPageRoutes, cacheStatusPage, tablePageRoute, withStatusPage } from './on-demand.ts';
export { searchPageRoutes } from './search-page.ts';
