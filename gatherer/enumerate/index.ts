// Roots that are neither a folder nor one web site: FTP and Gopher servers, news groups, mail folders, feeds, git
// repositories, programs that name URLs, and single URLs. Each is an `Enumerator`; what bounds it is a `RootNode`,
// read by `parseRootNode` and judged by a `ScopeRule`, which also says which option decided. `LocalMapping` stands
// in front of a `Fetch` and reads from disk what the provider has there.
export type {
  Enumerated,
  EnumerationMemory,
  Enumerator,
  OrderedRecall,
  Remembered,
  ScopeVerdict,
} from './enumerator.ts';
export { type FolderBounds, folderBounds } from './folder/folder-bounds.ts';
export { FolderEnumerator } from './folder/folder-enumerator.ts';
export { type FolderChanges, FolderWatcher } from './folder/folder-watcher.ts';
export { siteRoutes } from './folder/site-routes.ts';
export { LeafEnumerator } from './leaves/leaf-enumerator.ts';
export { leafUrl } from './leaves/leaf-reader.ts';
export { checkMapping, LocalMapping } from './leaves/local-mapping.ts';
export { rootErrors } from './root-errors.ts';
export { parseRootNode, type RootNode, rootSchemes } from './root-node.ts';
export { enumeratorFor, fetchOfAll, localPath, type RootServices } from './roots/enumerator-for.ts';
export { everyRoot, rootedAt } from './roots/every-root.ts';
export type { ScopeRule } from './scope-rule.ts';
export { isProviderFault } from './web/site-failure.ts';
export { normaliseUrl } from './web/site-scope.ts';
export { WebEnumerator } from './web/web-enumerator.ts';
