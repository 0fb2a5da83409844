import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import {
  type Fetch,
  type FetchResponse,
  type FtpAskOptions,
  type FtpEntry,
  fetchErrors,
  type GopherMenu,
  gopherPlace,
} from '../fetch/index.ts';
import { type Clock, failure, GarnerError, isGarnerError } from '../kernel/index.ts';
import { cacheErrors } from './errors.ts';
import type { Upstream, UpstreamRequest, UpstreamResponse } from './exchange.ts';
import { folderPage, menuPage } from './menu-pages.ts';
import { Fields, httpDate, parseHttpDate, type RawFields } from './rules/index.ts';
import { upstreamError } from './upstream-errors.ts';

/** What answers for schemes without HTTP: an `FtpClient` and a `GopherClient`. */
export interface SchemeClients {
  readonly ftp?: {
    readonly fetch: Fetch;
    list(url: string, options?: FtpAskOptions): Promise<readonly FtpEntry[]>;
  };
  readonly gopher?: {
    readonly fetch: Fetch;
    menu(url: string, signal?: AbortSignal): Promise<GopherMenu>;
  };
}

export interface SchemeOptions {
  readonly clock: Clock;
  /** How long what came without HTTP's own words is fresh; an hour when absent. */
  readonly freshSeconds?: number;
  readonly maxBytes?: number;
}

// What browsers show by themselves; the rest is for them to save.
const contentTypes: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  ps: 'application/postscript',
};

/** An upstream that asks origins by FTP and Gopher too, where their URLs say so (as caches of 1994 did). */
export function withSchemes(http: Upstream, clients: SchemeClients, options: SchemeOptions): Upstream {
  return {
    send: async (request) => {
      const isFtp = request.url.startsWith('ftp:');
      const isOther = isFtp || request.url.startsWith('gopher:');
      if (!isOther || request.route.to !== 'origin') return http.send(request);
      request.content?.resume();
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw failure(cacheErrors.CACHE_METHOD, {
          what: `${request.method} for ${isFtp ? 'ftp' : 'gopher'}:`,
        });
      try {
        return await (isFtp ? askFtp(request, clients, options) : askGopher(request, clients, options));
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        throw explained(request.url, error);
      }
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

async function askFtp(
  request: UpstreamRequest,
  { ftp }: SchemeClients,
  options: SchemeOptions,
): Promise<UpstreamResponse> {
  const { url, signal, method } = request;
  if (ftp === undefined) throw notSpoken(url);
  const list = async (folder: string) => ftp.list(folder, { signal });
  if (url.endsWith('/')) return pageOf(request, folderPage(url, await list(url)), options);
  const since = parseHttpDate(
    new Fields(request.fields).get('if-modified-since'),
    options.clock.now() / 1000,
  );
  const asked = {
    url,
    signal,
    method: method === 'HEAD' ? ('HEAD' as const) : ('GET' as const),
    ...(since !== undefined && { lastModified: since }),
    ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
  };
  const response = await ftp.fetch(asked);
  if (response.status !== 404) return answerOf(request, response, options);
  // A folder is often named without its slash; links in its page need it.
  const entries = await list(`${url}/`).catch(() => []);
  if (entries.length === 0) return answerOf(request, response, options);
  return madeAnswer(request, 301, ['Location', `${url}/`], Buffer.alloc(0), options);
}

async function askGopher(
  request: UpstreamRequest,
  { gopher }: SchemeClients,
  options: SchemeOptions,
): Promise<UpstreamResponse> {
  const { url, signal } = request;
  if (gopher === undefined) throw notSpoken(url);
  if (gopherPlace(url).type === '1')
    return pageOf(request, menuPage(url, await gopher.menu(url, signal)), options);
  const { maxBytes } = options;
  const response = await gopher.fetch({ url, signal, ...(maxBytes !== undefined && { maxBytes }) });
  return answerOf(request, response, options);
}

function pageOf(request: UpstreamRequest, page: string, options: SchemeOptions): UpstreamResponse {
  const fields = ['Content-Type', 'text/html; charset=utf-8', ...freshFor(options)];
  return madeAnswer(request, 200, fields, Buffer.from(page), options);
}

async function answerOf(
  request: UpstreamRequest,
  response: FetchResponse,
  options: SchemeOptions,
): Promise<UpstreamResponse> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  await response[Symbol.asyncDispose]();
  const { status, lastModified } = response;
  const fields: string[] = [];
  if (lastModified !== undefined) fields.push('Last-Modified', httpDate(lastModified));
  if (status === 200) fields.push('Content-Type', response.contentType ?? typeOf(request.url));
  if (status < 400) fields.push(...freshFor(options));
  return madeAnswer(request, status, fields, Buffer.concat(pieces), options);
}

function madeAnswer(
  { method }: UpstreamRequest,
  status: number,
  fields: RawFields,
  content: Buffer,
  { clock }: SchemeOptions,
): UpstreamResponse {
  const isHead = method === 'HEAD';
  return {
    status,
    reason: STATUS_CODES[status] ?? '',
    // Nobody but us says what this is: a browser is not to guess.
    fields: [
      'Date',
      httpDate(Math.floor(clock.now() / 1000)),
      ...fields,
      'X-Content-Type-Options',
      'nosniff',
    ],
    ...(!isHead && status !== 304 && { contentLength: content.length }),
    content: Readable.from(isHead || content.length === 0 ? [] : [content], { objectMode: false }),
    trailers: () => [],
  };
}

const freshFor = ({ freshSeconds = 3600 }: SchemeOptions) => ['Cache-Control', `max-age=${freshSeconds}`];

function typeOf(url: string): string {
  if (url.startsWith('gopher:') && gopherPlace(url).type === '0') return 'text/plain';
  const extension = /\.([a-z]{1,5})$/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(contentTypes, extension) && contentTypes[extension]) || 'application/octet-stream';
}

function notSpoken(url: string): GarnerError {
  return failure(cacheErrors.CACHE_UNREACHABLE, { url, why: 'its scheme is not spoken here' });
}

/** What a client of another protocol threw, in this folder's words. */
function explained(url: string, error: unknown): GarnerError {
  if (isGarnerError(error, fetchErrors.FETCH_TIMEOUT))
    return failure(cacheErrors.CACHE_SILENT, { url, why: 'it took too long' }, error);
  if (isGarnerError(error, fetchErrors.FETCH_BAD_URL))
    return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: error.message }, error);
  if (isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS)) return upstreamError(url, error);
  if (error instanceof GarnerError && error.code.startsWith('FETCH_'))
    return failure(cacheErrors.CACHE_UNREACHABLE, { url, why: error.message }, error);
  return upstreamError(url, error);
}
