import { failure, isGarnerError } from '../../kernel/index.ts';
import { type Fetch, objectCacheErrors, readBody } from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import type { Proxies } from '../http/index.ts';
import type { GopherClient } from './gopher-client.ts';
import { gopherErrors } from './gopher-errors.ts';
import type { GopherMenu } from './gopher-menu.ts';
import { gopherPlace } from './gopher-urls.ts';
import { listingType, readMenu } from './listings.ts';

/** How items are read by Gopher, whoever asks the server. */
export type GopherAccess = Pick<GopherClient, 'fetch' | 'menu'>;

export interface GopherThroughCacheOptions {
  /** For servers that no cache is asked about. */
  readonly direct: GopherAccess;
  /** Asks the cache: an `HttpClient` with these proxies. */
  readonly fetch: Fetch;
  readonly proxies: Proxies;
}

const maxMenuBytes = 32 * 1024 * 1024;

/** Gopher by way of an object cache, which has what others have read and keeps what is read here. */
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

  /** The cache that is asked for a URL, as it is told of; throws FETCH_BAD_URL for what no Gopher client would ask for. */
  #cacheOf(url: string): string | undefined {
    gopherPlace(url);
    return this.#options.proxies.cacheFor(new URL(url))?.place;
  }
}
