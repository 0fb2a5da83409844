import { join, relative, sep } from 'node:path';

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
