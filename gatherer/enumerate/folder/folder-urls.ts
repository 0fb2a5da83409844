import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodedName, encodedName } from './file-names.ts';

/** The URL of a path below a folder: each segment is percent-encoded. */
export function urlOf(baseUrl: string, root: string, path: string): string {
  const segments = relative(root, path).split(sep).map(encodedName);
  return baseUrl + segments.join('/');
}

/** The path of a URL below the folder, or undefined for a URL outside. */
export function pathOf(baseUrl: string, root: string, url: string): string | undefined {
  if (!url.startsWith(baseUrl)) return undefined;
  try {
    const segments = url.slice(baseUrl.length).split('/').map(decodedName);
    if (segments.some((segment) => segment === '..' || segment === '.' || /[/\0]/.test(segment)))
      return undefined;
    return join(root, ...segments);
  } catch {
    return undefined;
  }
}

/** The normal spelling of a file's URL below the folder, from another spelling or from a file: URL. */
export function spelledUrl(baseUrl: string, root: string, url: string): string | undefined {
  const path = pathOf(baseUrl, root, url) ?? filePathOf(url, root);
  return path === undefined ? undefined : urlOf(baseUrl, root, path);
}

/** The path of a file: URL below the folder. */
function filePathOf(url: string, root: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  try {
    const path = resolve(fileURLToPath(url));
    return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path : undefined;
  } catch {
    return undefined;
  }
}
