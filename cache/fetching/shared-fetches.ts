import type { Clock } from '../../kernel/index.ts';
import { type AbortSource, type CacheRequest, ClientAbort, urlKey } from '../requests/index.ts';
import type { Fields } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';
import { InFlightMap } from '../waiting/index.ts';
import type { Fetched } from './fetching.ts';
import { SharedFetch } from './shared-fetch.ts';

/** How long each request fetches a URL separately after its response could not be shared. */
const apartMs = 5_000;

const maxApart = 10_000;

/** The max number of refreshes in flight; beyond it a stale response stays stale until its next request. */
const maxRefreshes = 256;

/** Requests with these fields get their own answers. */
const ownNames = [
  'range',
  'authorization',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
];

/** The fetches in flight, so that many clients that want the same cause one request (RFC 9111 4). */
export class SharedFetches {
  readonly #inFlight = new InFlightMap<string, SharedFetch>();
  readonly #apart = new Map<string, number>();
  readonly #clock: Clock;
  readonly #waitMs: number;
  #refreshing = 0;

  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /** Whether a request's answer may also answer other requests. */
  #isSharable(request: CacheRequest, fields: Fields): boolean {
    if (request.method !== 'GET' || request.content !== undefined) return false;
    if (ownNames.some((name) => fields.has(name))) return false;
    if (this.#apart.size === 0) return true;
    const key = urlKey(request.url);
    const until = this.#apart.get(key);
    if (until === undefined) return true;
    const now = this.#clock.now();
    // Later than it could have been set: the clock was set back since.
    if (until > now && until <= now + apartMs) return false;
    this.#apart.delete(key);
    return true;
  }

  /**
   * Join the fetch of this URL in flight, or start it. A request fetches separately when its answer cannot be
   * shared, when it has waited `waitMs` in vain, or when the answer does not fit.
   */
  async lead(
    request: CacheRequest,
    fields: Fields,
    fetch: (signal: AbortSource) => Promise<Fetched>,
    fits: (fetched: Fetched) => boolean,
  ): Promise<{ readonly fetched: Fetched; readonly led: boolean }> {
    const { url, signal } = request;
    if (!this.#isSharable(request, fields)) return { fetched: await fetch(signal), led: true };
    const other = this.#inFlight.get(url);
    if (other === undefined) return { fetched: await this.#begin(url, fetch).wait(signal), led: true };
    const timeout = new AbortController();
    const waited = await Promise.race([
      other.wait(ClientAbort.withAny([signal, timeout.signal])),
      this.#clock.sleep(this.#waitMs, timeout.signal).then(() => undefined),
    ]).finally(() => timeout.abort());
    if (waited !== undefined) {
      if (fits(waited)) return { fetched: waited, led: false };
      other.decline();
    }
    return { fetched: await fetch(signal), led: true };
  }

  /** Start a fetch without a waiting request, unless one is in flight or too many refreshes are. */
  refresh(request: CacheRequest, fetch: (signal: AbortSource) => Promise<Fetched>): void {
    if (this.#inFlight.has(request.url) || this.#refreshing >= maxRefreshes) return;
    this.#refreshing += 1;
    const over = () => {
      this.#refreshing -= 1;
    };
    const counted = async (signal: AbortSource): Promise<Fetched> => {
      try {
        const fetched = await fetch(signal);
        const ended = fetched.kind === 'response' ? fetched.content?.ended : undefined;
        if (ended === undefined) over();
        else void ended.then(over);
        return fetched;
      } catch (error) {
        over();
        throw error;
      }
    };
    this.#begin(request.url, counted, true);
  }

  /** No request joins a fetch in flight that may be older than a purge or a change. */
  spoil(target: PurgeTarget): void {
    if ('url' in target) this.#inFlight.delete(target.url);
    // The tags of a response are unknown before it arrives.
    else if (!('prefix' in target)) this.#inFlight.clear();
    else
      for (const url of this.#inFlight.keys()) if (url.startsWith(target.prefix)) this.#inFlight.delete(url);
  }

  #begin(url: string, fetch: (signal: AbortSource) => Promise<Fetched>, unattended = false): SharedFetch {
    const onEnd = (shared: SharedFetch, fetched: Fetched | undefined) =>
      fetched === undefined ? this.#over(url, shared) : this.#judge(url, fetched, shared);
    const shared = new SharedFetch(fetch, onEnd, { unattended });
    this.#inFlight.set(url, shared);
    return shared;
  }

  #over(url: string, shared: SharedFetch): void {
    if (this.#inFlight.get(url) === shared) this.#inFlight.delete(url);
  }

  #judge(url: string, fetched: Fetched, shared: SharedFetch): void {
    if (fetched.kind === 'response' && fetched.storing && fetched.content !== undefined) {
      // Requests that come while it is read join; afterwards it is in the store.
      void fetched.content.ended.then(() => this.#over(url, shared));
      return;
    }
    this.#over(url, shared);
    if (fetched.kind !== 'response') return;
    if (this.#apart.size >= maxApart) this.#apart.delete(this.#apart.keys().next().value as string);
    this.#apart.set(urlKey(url), this.#clock.now() + apartMs);
  }
}
