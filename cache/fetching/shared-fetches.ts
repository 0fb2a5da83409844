import type { Clock } from '../../kernel/index.ts';
import { type AbortSource, type CacheRequest, ClientAbort, urlKey } from '../requests/index.ts';
import type { Fields } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';
import { InFlightMap } from '../waiting/index.ts';
import type { Fetched } from './fetching.ts';
import { SharedFetch } from './shared-fetch.ts';

/** How long a URL whose response could not be shared is fetched by each for themselves. */
const apartMs = 5_000;

/** URLs that are remembered so. */
const maxApart = 10_000;

/** Refreshes that nobody waits for, at once; beyond them what is stale stays so until it is asked for again. */
const maxRefreshes = 256;

/** Requests with these have answers of their own. */
const ownNames = [
  'range',
  'authorization',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
];

/** Which fetches are under way, so that many who want the same make one request (RFC 9111 4). */
export class SharedFetches {
  readonly #underWay = new InFlightMap<string, SharedFetch>();
  readonly #apart = new Map<string, number>();
  readonly #clock: Clock;
  readonly #waitMs: number;
  #refreshing = 0;

  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock;
    this.#waitMs = waitMs;
  }

  /** Whether a request's answer may be another's too. */
  #isSharable(request: CacheRequest, asked: Fields): boolean {
    if (request.method !== 'GET' || request.content !== undefined) return false;
    if (ownNames.some((name) => asked.has(name))) return false;
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
   * Take part in the fetch of this URL that is under way, or make it. Whose answer is nobody else's, who has waited `waitMs`
   * in vain, or to whom the answer does not fit, asks alone.
   */
  async lead(
    request: CacheRequest,
    asked: Fields,
    fetch: (signal: AbortSource) => Promise<Fetched>,
    fits: (fetched: Fetched) => boolean,
  ): Promise<{ readonly fetched: Fetched; readonly led: boolean }> {
    const { url, signal } = request;
    if (!this.#isSharable(request, asked)) return { fetched: await fetch(signal), led: true };
    const other = this.#underWay.get(url);
    if (other === undefined) return { fetched: await this.#begin(url, fetch).wait(signal), led: true };
    const patience = new AbortController();
    const waited = await Promise.race([
      other.wait(ClientAbort.withAny([signal, patience.signal])),
      this.#clock.sleep(this.#waitMs, patience.signal).then(() => undefined),
    ]).finally(() => patience.abort());
    if (waited !== undefined) {
      if (fits(waited)) return { fetched: waited, led: false };
      other.decline();
    }
    return { fetched: await fetch(signal), led: true };
  }

  /** Fetch what nobody waits for, unless that is under way or too much is. */
  refresh(request: CacheRequest, fetch: (signal: AbortSource) => Promise<Fetched>): void {
    if (this.#underWay.has(request.url) || this.#refreshing >= maxRefreshes) return;
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

  /** Nobody takes part any more in what is under way and may be older than a purge or a change. */
  spoil(target: PurgeTarget): void {
    if ('url' in target) this.#underWay.delete(target.url);
    // Which tags a response has is not known before it comes.
    else if (!('prefix' in target)) this.#underWay.clear();
    else
      for (const url of this.#underWay.keys()) if (url.startsWith(target.prefix)) this.#underWay.delete(url);
  }

  #begin(url: string, fetch: (signal: AbortSource) => Promise<Fetched>, unattended = false): SharedFetch {
    const told = (shared: SharedFetch, fetched: Fetched | undefined) =>
      fetched === undefined ? this.#over(url, shared) : this.#judge(url, fetched, shared);
    const shared = new SharedFetch(fetch, told, { unattended });
    this.#underWay.set(url, shared);
    return shared;
  }

  #over(url: string, shared: SharedFetch): void {
    if (this.#underWay.get(url) === shared) this.#underWay.delete(url);
  }

  #judge(url: string, fetched: Fetched, shared: SharedFetch): void {
    if (fetched.kind === 'response' && fetched.storing && fetched.content !== undefined) {
      // Those who come while it is read take part; afterwards it is found in the store.
      void fetched.content.ended.then(() => this.#over(url, shared));
      return;
    }
    this.#over(url, shared);
    if (fetched.kind !== 'response') return;
    if (this.#apart.size >= maxApart) this.#apart.delete(this.#apart.keys().next().value as string);
    this.#apart.set(urlKey(url), this.#clock.now() + apartMs);
  }
}
