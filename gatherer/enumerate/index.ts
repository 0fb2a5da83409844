// Enumerators expand a root into its documents: folders, web sites, feeds, FTP and Gopher servers, news groups, mail
// folders, git repositories, programs and single URLs. Read enumerator.ts, then root-node.ts, scope-rule.ts and
// roots/enumerator-for.ts. folder: files and their watch. web: crawl, sitemaps, page lists. feeds: RSS, Atom and JSON
// Feed. ftp, gopher, news, git and programs: one enumerator each. mail: mbox and Maildir. leaves: single URLs, local
// mapping. roots: all roots in turn.
export type {
  Enumerated,
  EnumerationMemory,
  Enumerator,
  OrderedRecall,
  PageFacts,
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
export { FolderGroup, type FolderUpdate, type WatchedFolder } from './roots/folder-group.ts';
export type { ScopeRule } from './scope-rule.ts';
export { isProviderFault } from './web/site-failure.ts';
export { normaliseUrl } from './web/site-scope.ts';
export { WebEnumerator } from './web/web-enumerator.ts';
