// The pages as routes: search, and the status and administration pages. A page is a tree that the server
// writes as HTML and the browser's script makes part of the document. client/ also runs in the browser. Read
// search-page.ts, then on-demand.ts (pages that are loaded at their first request).
export { webErrors } from './errors.ts';
export { logoRoute, maxLogoBytes, readLogo } from './logo.ts';
export {
  adminPageRoutes,
  cacheStatusPage,
  registerPageRoutes,
  registryPageRoute,
  summaryPageRoute,
  tablePageRoute,
  withStatusPage,
  withSummaryPage,
  withTopologyPage,
} from './on-demand.ts';
export { assetRoutes, searchPageRoutes } from './search-page.ts';
export type { Look, Site } from './site.ts';
