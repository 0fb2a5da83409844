import type { Keyring } from '../../exchange/index.ts';
import { type Fetch, readBody } from '../../fetch/index.ts';
import { type Clock, failure, Nap } from '../../kernel/index.ts';
import { decodeKeyLinks, type ServerId } from '../../soif/index.ts';
import { registryErrors } from '../errors.ts';
import { keysNotRead } from '../events.ts';
import type { KeyPage } from './key-routes.ts';

export interface KeyWatchOptions {
  /** The address of each Registry. */
  readonly registries: readonly string[];
  readonly keyring: Pick<Keyring, 'succeed'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Time between two readings. */
  readonly everyMs: number;
}

/** A page of a hundred servers with eight links each, and room. */
const maxPageBytes = 512 * 1024;
/** Max pages at one reading. */
const maxPages = 50;

/** What was read of one Registry. */
interface Place {
  epoch: string;
  since: number;
}

/**
 * Reads from Registries which servers changed their keys. A change is followed only from a key that is known here, and
 * by the signatures of its links alone: a Registry that lies changes nothing.
 */
export class KeyWatch implements AsyncDisposable {
  readonly #options: KeyWatchOptions;
  readonly #abort = new AbortController();
  readonly #places: readonly { readonly registry: string; readonly place: Place }[];
  #running: Promise<void> = Promise.resolve();

  constructor(options: KeyWatchOptions) {
    this.#options = options;
    this.#places = options.registries.map((registry) => ({ registry, place: { epoch: '', since: 0 } }));
  }

  /** Begin to read, now and again and again. */
  start(): this {
    this.#running = this.#watch();
    return this;
  }

  /** Read what has changed since the last time, from one Registry after the other. */
  async read(): Promise<void> {
    const { signal } = this.#abort;
    for (const { registry, place } of this.#places) {
      if (signal.aborted) return;
      await this.#read(registry, place).catch((error: unknown) => {
        if (!signal.aborted) keysNotRead.publish({ registry, error });
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    const nap = new Nap(this.#options.clock, signal);
    while (!signal.aborted) {
      await this.read();
      await nap.sleep(this.#options.everyMs);
    }
  }

  async #read(registry: string, place: Place): Promise<void> {
    for (let pages = 0; pages < maxPages; pages++) {
      const page = await this.#page(registry, place.since);
      if (page === undefined) return;
      const { epoch, keys, next, last } = page;
      // A Registry with a new store counts from the beginning.
      if (epoch !== place.epoch) {
        const isFirst = place.since === 0;
        Object.assign(place, { epoch, since: 0 });
        if (!isFirst) continue;
      }
      for (const { serverId, succession } of keys) {
        const links = decodeKeyLinks(Buffer.from(succession, 'base64url')) ?? [];
        if (links.length > 0) await this.#options.keyring.succeed?.(serverId as ServerId, links);
      }
      if (next <= place.since) return;
      place.since = next;
      if (next >= last) return;
    }
  }

  /** Undefined of a Registry without a list of keys. */
  async #page(registry: string, since: number): Promise<KeyPage | undefined> {
    const url = new URL(`keys?since=${since}`, registry).href;
    const { signal } = this.#abort;
    const request = { url, maxBytes: maxPageBytes, signal, headers: { accept: 'application/json' } };
    await using response = await this.#options.fetch(request);
    if (response.status === 404) return undefined;
    const page =
      response.status === 200 ? readPage(Buffer.from(await readBody(response)).toString()) : undefined;
    if (page !== undefined) return page;
    const why = response.status === 200 ? 'its list of keys cannot be read' : `status ${response.status}`;
    throw failure(registryErrors.REGISTRY_REMOTE, { address: registry, why });
  }
}

function readPage(json: string): KeyPage | undefined {
  let page: Partial<Record<keyof KeyPage, unknown>>;
  try {
    page = JSON.parse(json) ?? {};
  } catch {
    return undefined;
  }
  const { epoch, keys, next, last } = page;
  const isEntry = (entry: { readonly serverId?: unknown; readonly succession?: unknown } | null) =>
    typeof entry?.serverId === 'string' &&
    /^[\w-]{22}$/.test(entry.serverId) &&
    typeof entry.succession === 'string';
  const isPage =
    typeof epoch === 'string' &&
    Number.isSafeInteger(next) &&
    Number.isSafeInteger(last) &&
    Array.isArray(keys);
  return isPage && keys.every(isEntry) ? (page as KeyPage) : undefined;
}
