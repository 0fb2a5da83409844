import { failure, isGarnerError } from '../../kernel/index.ts';
import { type Fetch, objectCacheErrors, readBody } from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import type { Proxies } from '../http/index.ts';
import { gopherErrors } from './errors.ts';
import type { GopherClient } from './gopher-client.ts';
import type { GopherMenu } from './gopher-menu.ts';
import { gopherPlace } from './gopher-urls.ts';
import { listingType, readMenu } from './listings.ts';

/** Reads items by Gopher, directly or through a cache. */
export type GopherAccess = Pick<GopherClient, 'fetch' | 'menu'>;

export interface GopherThroughCacheOptions {
  /** For servers that are reached without a cache. */
  readonly direct: GopherAccess;
  /** Sends requests to the cache: an `HttpClient` with these proxies. */
  readonly fetch: Fetch;
  readonly proxies: Proxies;
}

const maxMenuBytes = 32 * 1024 * 1024;

/** Gopher through an object cache, which shares its stored items with all clients. */
export class GopherThroughCache implements GopherAccess {
  readonly fetch: Fetch = (request) => {
    const isDirect = this.#cacheOf(request.url) === undefined;
    return isDirect ? this.#options.direct.fetch(request) : this.#options.fetch(request);
  };
  readonly #options: GopherThroughCacheOptions;

  constructor(options: GopherThroughCacheOptions) {
    this.#options = options;
  }

  async menu(url: string, signal?: AbortSignal, minDelayMs?: number): Promise<GopherMenu> {
    const { direct, fetch } = this.#options;
    const cache = this.#cacheOf(url);
    if (cache === undefined) return direct.menu(url, signal, minDelayMs);
    const headers = { accept: listingType };
    try {
      await using response = await fetch({ url, signal, minDelayMs, headers, maxBytes: maxMenuBytes });
      const { status, contentType } = response;
      if (status === 404) throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why: 'the server has none' });
      if (status !== 200)
        throw failure(fetchErrors.FETCH_UNREACHABLE, { url, why: `status ${status} of the object cache` });
      const isListing = contentType?.startsWith(listingType) === true;
      const menu = isListing ? readMenu(Buffer.from(await readBody(response)).toString('utf8')) : undefined;
      if (menu === undefined) throw failure(objectCacheErrors.FETCH_CACHE_FOREIGN, { cache, url });
      return menu;
    } catch (error) {
      if (!isGarnerError(error, fetchErrors.FETCH_BAD_RESPONSE)) throw error;
      throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why: 'the cache cannot read it' }, error);
    }
  }

  /** The cache for a URL, as messages name it. Throws FETCH_BAD_URL for a URL unfit for Gopher. */
  #cacheOf(url: string): string | undefined {
    gopherPlace(url);
    return this.#options.proxies.cacheFor(new URL(url))?.place;
  }
}
