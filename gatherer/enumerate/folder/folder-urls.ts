import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The URL of a path below a folder: each segment is percent-encoded. */
export function urlOf(baseUrl: string, root: string, path: string): string {
  const segments = relative(root, path).split(sep).map(encodeURIComponent);
  return baseUrl + segments.join('/');
}

/** The path below the folder that a URL stands for, or undefined when it stands outside. */
export function pathOf(baseUrl: string, root: string, url: string): string | undefined {
  if (!url.startsWith(baseUrl)) return undefined;
  try {
    const segments = url.slice(baseUrl.length).split('/').map(decodeURIComponent);
    if (segments.some((segment) => segment === '..' || segment === '.' || /[/\0]/.test(segment)))
      return undefined;
    return join(root, ...segments);
  } catch {
    return undefined;
  }
}

/** How the URL of a file below the folder is spelled, from any other or from the file: URL of the file. */
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
