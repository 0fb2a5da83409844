// Walks and watches a folder of files that a web server serves. Read folder-enumerator.ts, then folder-walk.ts.
export { type FolderBounds, folderBounds } from './folder-bounds.ts';
export { FolderEnumerator, type FolderOptions } from './folder-enumerator.ts';
export { isAbsent, unreadable } from './folder-walk.ts';
export { type FolderChanges, FolderWatcher } from './folder-watcher.ts';
export { siteRoutes } from './site-routes.ts';
