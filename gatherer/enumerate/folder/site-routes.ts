import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { escapeHtml, type Route, type RouteRequest, type RouteResponse } from '../../../http/index.ts';
import { encodedName, entriesIn, osPath, realPath, shownName } from './file-names.ts';
import { pathOf } from './folder-urls.ts';

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

async function beginningOf(path: string): Promise<Uint8Array> {
  await using file = await open(osPath(path));
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lookBytes), 0, lookBytes, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * The media type of a file. Browsers read a text without a charset as Latin-1, so UTF-8 text is labelled. An HTML page
 * may declare its own charset, and other encodings are left to the browser.
 */
async function typeOf(path: string): Promise<string> {
  const type = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
  if (!type.startsWith('text/')) return type;
  const bytes = await beginningOf(path);
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

async function listing(folder: string, path: string): Promise<RouteResponse> {
  const names: string[] = [];
  for (const entry of await entriesIn(folder)) {
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
  try {
    const base = await realPath(root);
    // Neither the requested path nor the target of its links may be hidden or outside.
    const allowed = async (path: string) => {
      const real = await realPath(path);
      const inside = real === base || real.startsWith(base + sep);
      return inside && (hidden || !(isHidden(root, path) || isHidden(base, real))) ? real : undefined;
    };
    let path = await allowed(wanted);
    if (path === undefined) return notFound;
    let stats = await stat(osPath(path));
    if (stats.isDirectory()) {
      if (!raw.endsWith('/'))
        return { status: 301, headers: { location: `${raw.split('/').at(-1)}/` }, body: '' };
      const index = await allowed(join(path, 'index.html')).catch(() => undefined);
      const found = index === undefined ? undefined : await stat(osPath(index));
      if (index === undefined || found?.isFile() !== true) return await listing(path, raw);
      [path, stats] = [index, found];
    }
    if (!stats.isFile()) return notFound;
    const headers = {
      'last-modified': stats.mtime.toUTCString(),
      etag: `"${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"`,
      ...foreignPage,
    };
    if (request.headers['if-none-match'] === headers.etag) return { status: 304, headers };
    const entity = { 'content-type': await typeOf(path), 'content-length': String(stats.size) };
    return { headers: { ...headers, ...entity }, body: createReadStream(osPath(path)) };
  } catch {
    return notFound;
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
