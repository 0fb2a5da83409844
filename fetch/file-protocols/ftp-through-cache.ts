import { failure, type GarnerError } from '../../kernel/index.ts';
import {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  objectCacheErrors,
  readBody,
} from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import type { Proxies } from '../http/index.ts';
import { ftpErrors } from './errors.ts';
import type { FtpAskOptions, FtpClient, FtpEntry, FtpFile, FtpLogin, FtpReadOptions } from './ftp-client.ts';
import { ftpPlace } from './ftp-urls.ts';
import { listingType, readEntries } from './listings.ts';

/** Reads files and folders by FTP, directly or through a cache. */
export type FtpAccess = Pick<FtpClient, 'fetch' | 'list' | 'modified' | 'read' | 'readDated'>;

export interface FtpThroughCacheOptions {
  /** For servers that are reached without a cache. */
  readonly direct: FtpAccess;
  /** Sends requests to the cache: an `HttpClient` with these proxies. */
  readonly fetch: Fetch;
  readonly proxies: Proxies;
  readonly credentials?: (url: string) => FtpLogin | undefined;
}

const maxListingBytes = 32 * 1024 * 1024;

/** FTP through an object cache, which shares its stored files with all clients. */
export class FtpThroughCache implements FtpAccess {
  readonly fetch: Fetch = (request) => {
    if (this.#cacheOf(request.url) === undefined) return this.#options.direct.fetch(request);
    const authorization = this.#authorization(request.url);
    return this.#options.fetch({ ...request, headers: { ...request.headers, ...authorization } });
  };
  readonly #options: FtpThroughCacheOptions;

  constructor(options: FtpThroughCacheOptions) {
    this.#options = options;
  }

  async list(url: string, options: FtpAskOptions = {}): Promise<readonly FtpEntry[]> {
    const cache = this.#cacheOf(url);
    if (cache === undefined) return this.#options.direct.list(url, options);
    const folder = url.endsWith('/') ? url : `${url}/`;
    const headers = { accept: listingType };
    await using response = await this.#ask(folder, { ...options, headers, maxBytes: maxListingBytes });
    const isListing = response.contentType?.startsWith(listingType) === true;
    const text = isListing ? Buffer.from(await readBody(response)).toString('utf8') : '';
    const entries = readEntries(text);
    if (entries === undefined) throw failure(objectCacheErrors.FETCH_CACHE_FOREIGN, { cache, url });
    return entries;
  }

  async modified(url: string, options: FtpAskOptions = {}): Promise<number | undefined> {
    if (this.#cacheOf(url) === undefined) return this.#options.direct.modified(url, options);
    await using response = await this.#ask(url, { ...options, method: 'HEAD' });
    return response.lastModified;
  }

  async read(url: string, options: FtpReadOptions = {}): Promise<Uint8Array> {
    if (this.#cacheOf(url) === undefined) return this.#options.direct.read(url, options);
    return (await this.readDated(url, options)).bytes;
  }

  async readDated(url: string, options: FtpReadOptions = {}): Promise<FtpFile> {
    if (this.#cacheOf(url) === undefined) return this.#options.direct.readDated(url, options);
    await using response = await this.#ask(url, options);
    return { bytes: await readBody(response), modified: response.lastModified };
  }

  /** The cache for a URL, as messages name it; throws FETCH_BAD_URL for a URL that no FTP client would request. */
  #cacheOf(url: string): string | undefined {
    ftpPlace(url);
    return this.#options.proxies.cacheFor(new URL(url))?.place;
  }

  #authorization(url: string): { readonly authorization?: string } {
    const login = this.#options.credentials?.(url);
    if (login === undefined) return {};
    const pair = Buffer.from(`${login.user}:${login.password}`).toString('base64');
    return { authorization: `Basic ${pair}` };
  }

  /** A 200, or the error that `FtpClient` throws where a server refuses. */
  async #ask(url: string, request: Omit<FetchRequest, 'url'>): Promise<FetchResponse> {
    const response = await this.fetch({ ...request, url, redirect: 'manual' });
    const { status } = response;
    if (status === 200) return response;
    await response[Symbol.asyncDispose]();
    throw refusal(url, status);
  }
}

/** A status of a cache as the corresponding reply of the FTP server. */
function refusal(url: string, status: number): GarnerError {
  const why = `status ${status} of the object cache`;
  if (status === 401) return failure(ftpErrors.FETCH_FTP_LOGIN, { host: new URL(url).host, why });
  // A folder requested as a file is moved to the name with a slash: there is no such file.
  if (status === 404 || status === 301) return failure(ftpErrors.FETCH_FTP_REFUSED, { url, code: 550, why });
  if (status === 403) return failure(ftpErrors.FETCH_FTP_REFUSED, { url, code: 553, why });
  return failure(fetchErrors.FETCH_UNREACHABLE, { url, why });
}
