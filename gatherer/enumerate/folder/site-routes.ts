import type { FileHandle } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { escapeHtml, type Route, type RouteRequest, type RouteResponse } from '../../../http/index.ts';
import { encodedName, entriesIn, realPath, shownName } from './file-names.ts';
import { pathOf } from './folder-urls.ts';
import { listPath, type OpenWithin, openWithin } from './open-within.ts';

// A gathered folder on an origin of its own, so that a clicked result opens. These are foreign pages: they may use
// their own scripts and styles, and nothing of Garner is on this origin.
const foreignPage = {
  'content-security-policy':
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'none'; base-uri 'self'; object-src 'none'",
  'cross-origin-embedder-policy': 'unsafe-none',
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.txt': 'text/plain',
  '.md': 'text/plain',
  '.rst': 'text/plain',
  '.csv': 'text/csv',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pdf': 'application/pdf',
};

/** Bytes at the beginning of a text that decide its encoding. */
const lookBytes = 64 * 1024;
const metaCharset = /<meta\b[^>]*\bcharset\b/i;

async function beginningOf(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lookBytes), 0, lookBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * The media type of a file. Browsers read a text without a charset as Latin-1, so UTF-8 text is labelled. An HTML page
 * may declare its own charset, and other encodings are left to the browser.
 */
async function typeOf({ path, file }: OpenWithin): Promise<string> {
  const type = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
  if (!type.startsWith('text/')) return type;
  const bytes = await beginningOf(file);
  try {
    // The end may lie within a character: `stream` accepts that.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return type === 'text/html' && metaCharset.test(text) ? type : `${type}; charset=utf-8`;
  } catch {
    return type;
  }
}

const maxListed = 10_000;
const notFound: RouteResponse = {
  status: 404,
  body: 'not found\n',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
};

async function listing(folder: OpenWithin, path: string): Promise<RouteResponse> {
  const names: string[] = [];
  for (const entry of await entriesIn(listPath(folder))) {
    if (entry.name.startsWith('.')) continue;
    names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    if (names.length >= maxListed) break;
  }
  const items = names
    .sort()
    .map(
      (name) =>
        `<li><a href="${escapeHtml(name.split('/').map(encodedName).join('/'))}">${escapeHtml(shownName(name))}</a>`,
    );
  const title = escapeHtml(path);
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', ...foreignPage },
    body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><ul>${items.join('\n')}</ul></html>`,
  };
}

function isHidden(root: string, path: string): boolean {
  return relative(root, path)
    .split(sep)
    .some((segment) => segment.startsWith('.') && segment !== '.');
}

async function serveFile(root: string, hidden: boolean, request: RouteRequest): Promise<RouteResponse> {
  // The raw path: after the router's decoding an encoded slash looks like a separator.
  const raw = request.url.split('?')[0] as string;
  const wanted = pathOf('/', root, raw);
  if (wanted === undefined) return notFound;
  const opened: OpenWithin[] = [];
  try {
    const base = await realPath(root);
    /** Neither the requested path nor the target of its links may be hidden or outside. */
    const allowed = async (path: string) => {
      if (!hidden && isHidden(root, path)) return undefined;
      const found = await openWithin(base, path);
      if (found !== undefined) opened.push(found);
      return found === undefined || (!hidden && isHidden(base, found.path)) ? undefined : found;
    };
    let found = await allowed(wanted);
    if (found?.stats.isDirectory()) {
      if (!raw.endsWith('/'))
        return { status: 301, headers: { location: `${raw.split('/').at(-1)}/` }, body: '' };
      const index = await allowed(join(wanted, 'index.html')).catch(() => undefined);
      if (index?.stats.isFile() !== true) return await listing(found, raw);
      found = index;
    }
    if (found?.stats.isFile() !== true) return notFound;
    const { size, mtime, mtimeMs } = found.stats;
    const headers = {
      'last-modified': mtime.toUTCString(),
      etag: `"${size.toString(36)}-${mtimeMs.toString(36)}"`,
      ...foreignPage,
    };
    if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers };
    const entity = { 'content-type': await typeOf(found), 'content-length': String(size) };
    if (size === 0) return { headers: { ...headers, ...entity }, body: '' };
    opened.splice(opened.indexOf(found), 1);
    // The body closes the file; a file that grows meanwhile is cut at its size.
    const body = found.file.createReadStream({ start: 0, end: size - 1 });
    return { headers: { ...headers, ...entity }, body };
  } catch {
    return notFound;
  } finally {
    await Promise.all(opened.map(({ file }) => file.close()));
  }
}

/** Serve the files of a folder as a plain web site. */
export function siteRoutes(root: string, hidden: boolean): readonly Route[] {
  const handle = (request: RouteRequest) => serveFile(root, hidden, request);
  const route = {
    method: 'GET',
    summary: 'A file of the gathered folder',
    scope: 'public',
    hidden: true,
    handle,
  } as const;
  return [
    { ...route, path: '/' },
    { ...route, path: '/*' },
  ];
}
