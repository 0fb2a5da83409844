// Shared by tests of web sites: a site on loopback, and the memory of a Gatherer.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Parser } from 'htmlparser2';
import { HttpClient, RobotsTxt } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';
import type { Enumerated, EnumerationMemory, PageFacts, Remembered } from '../enumerate/enumerator.ts';
import { WebEnumerator, type WebEnumeratorOptions } from '../enumerate/web/web-enumerator.ts';

export interface Page {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Whether the server answers requests for parts of it. */
  readonly ranges?: boolean;
}

/** A page of these links. */
export const html = (...links: string[]) => ({
  body: links.map((link) => `<a href="${link}">x</a>`).join(''),
  headers: { 'content-type': 'text/html' },
});

/** A site on loopback whose pages are a table; pages with a body have an ETag and obey conditional requests. */
export async function openSite(pages: Record<string, Page>, options: Partial<WebEnumeratorOptions> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    const { status = 200, headers = {}, body = '', ranges = false } = page ?? { status: 404 };
    const [, from, to] = (ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')) || [];
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const fresh = status === 200 && !headers.etag && request.headers['if-none-match'] === etag;
    asked.push(`${fresh ? 304 : status} ${request.url}`);
    const all = { ...(status === 200 && { etag }), 'content-length': Buffer.byteLength(body), ...headers };
    if (all.etag === '-') delete all.etag;
    if (from !== undefined) {
      const part = Buffer.from(body).subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${Buffer.byteLength(body)}`;
      response
        .writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length })
        .end(part);
    } else if (fresh) response.writeHead(304, { etag }).end();
    else response.writeHead(status, all).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [root], retries: 0 });
  const memory = new Map<string, Remembered>();
  const parsed: string[] = [];
  /** Run once, and store the items like a Gatherer. */
  const run = async (more: Partial<WebEnumeratorOptions> = {}, keep = true) => {
    asked.length = 0;
    const enumerator = new WebEnumerator({
      root: `${root}/`,
      fetch: http.fetch,
      robots: new RobotsTxt({ fetch: http.fetch, clock: new ManualClock() }),
      factsOf: (document) => {
        parsed.push(document.url);
        return factsOf(document);
      },
      ...options,
      ...more,
    });
    const items: Enumerated[] = [];
    for await (const item of enumerator.enumerate(recalling(memory))) {
      items.push(item);
      if (keep) storeIn(memory, item);
    }
    return items.map((item) => ({ ...item, path: item.url.replace(root, '') }));
  };
  return {
    root,
    pages,
    asked,
    parsed,
    memory,
    http,
    run,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The targets of the anchors of an HTML page, which is kept. */
export async function factsOf(document: DocumentInput): Promise<PageFacts> {
  const links: string[] = [];
  if (!document.contentType?.startsWith('text/html')) return { links, kept: true };
  const parser = new Parser({
    onopentag: (name, { href }) => name === 'a' && href !== undefined && links.push(href),
  });
  parser.end(new TextDecoder().decode(document.bytes));
  return { links, kept: true };
}

/** The memory over a map that `storeIn` fills. */
export function recalling(memory: Map<string, Remembered>): EnumerationMemory {
  return {
    recall: (url) => Promise.resolve(memory.get(url)),
    async *known() {
      for (const [url, row] of [...memory]) if (!row.canonicalUrl && !row.skipped) yield url;
    },
  };
}

function storeIn(memory: Map<string, Remembered>, item: Enumerated): void {
  if (item.remember) memory.set(item.url, JSON.parse(JSON.stringify(item.remember)) as Remembered);
  else if (item.kind !== 'failed') memory.delete(item.url);
}

/** Kind and path of the items. */
export const brief = (items: readonly { kind: string; path: string }[]) =>
  items.map(({ kind, path }) => `${kind} ${path}`);
/** The same in order of their text. */
export const sorted = (items: readonly { kind: string; path: string }[]) => brief(items).sort();
