import { type Fetch, readStart, TokenBucket } from '../../fetch/index.ts';
import { type Clock, failure, isGarnerError, RecentMap } from '../../kernel/index.ts';
import { decodeObject, type Oid } from '../../soif/index.ts';
import type { Database, ObjectStore } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';

export interface LinkCheck {
  /**
   * `alive`; `suspect`: missing once, checked again after ten minutes; `gone`: missing twice, hidden from
   * results; `unknown`: the check could not decide.
   */
  readonly state: 'alive' | 'suspect' | 'gone' | 'unknown';
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
}

interface Missing {
  readonly state: 'suspect' | 'gone';
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The summary for which it was missing. A changed summary starts over. */
  readonly digest: string;
}

export interface LinkChecksOptions {
  readonly database: Database;
  readonly store: Pick<ObjectStore, 'get'>;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly withdraw: (oid: Oid) => Promise<void>;
}

/** Min time between two checks of one object. */
const recheckMs = 10 * 60_000;
/** Rate of all checks together: this many at once, then one in two seconds. */
const checksPerSecond = 0.5;
const checksAtOnce = 5;
/** Max missing URLs remembered, and max recent answers. The oldest are dropped first. */
const maxMissing = 10_000;
const maxRecent = 1_000;

const removedStatuses: ReadonlySet<number> = new Set([404, 410]);
const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex');

/**
 * Checks links that readers report as dead. A page missing twice is hidden from results until its source
 * changes its summary. The object stays in the store, so that the stores of both sides still agree.
 */
export class LinkChecks {
  readonly #options: LinkChecksOptions;
  readonly #bucket: TokenBucket;
  readonly #missing = new Map<Oid, Missing>();
  readonly #recent = new RecentMap<Oid, LinkCheck & { readonly at: number }>(maxRecent);
  readonly #running = new Map<Oid, Promise<LinkCheck>>();

  private constructor(options: LinkChecksOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket({ clock: options.clock, perSecond: checksPerSecond, burst: checksAtOnce });
  }

  static async open(options: LinkChecksOptions): Promise<LinkChecks> {
    const checks = new LinkChecks(options);
    for await (const [key, value] of options.database.entries())
      checks.#missing.set(Buffer.from(key).toString() as Oid, JSON.parse(Buffer.from(value).toString()));
    return checks;
  }

  /** Whether an object with this summary was found to be gone, and is not indexed again. */
  isGone(oid: Oid, digest: Uint8Array): boolean {
    const known = this.#missing.get(oid);
    return known?.state === 'gone' && known.digest === hex(digest);
  }

  /** Check an object's link, at most every ten minutes. Throws BROKER_NO_OBJECT, BROKER_BUSY. */
  check(oid: Oid): Promise<LinkCheck> {
    const recent = this.#recent.get(oid);
    const now = this.#options.clock.now();
    if (recent !== undefined && now - recent.at < recheckMs)
      return Promise.resolve({ state: recent.state, status: recent.status });
    let running = this.#running.get(oid);
    if (running === undefined) {
      if (this.#running.size >= checksAtOnce || this.#bucket.debtMs > 0)
        return Promise.reject(failure(brokerErrors.BROKER_BUSY, {}));
      this.#bucket.take();
      running = this.#check(oid).finally(() => this.#running.delete(oid));
      this.#running.set(oid, running);
    }
    return running;
  }

  /** Check again a few URLs that were missing once. */
  async tick(): Promise<void> {
    const now = this.#options.clock.now();
    const due = [...this.#missing].filter(
      ([, { state, at }]) => state === 'suspect' && now - at >= recheckMs,
    );
    for (const [oid] of due.slice(0, checksAtOnce)) {
      this.#recent.delete(oid);
      await this.check(oid).catch((error) => {
        if (!isGarnerError(error)) throw error;
      });
    }
  }

  async #check(oid: Oid): Promise<LinkCheck> {
    const { store, clock, withdraw } = this.#options;
    const stored = await store.get(oid);
    if (stored === undefined) {
      await this.#forget(oid);
      throw failure(brokerErrors.BROKER_NO_OBJECT, { oid });
    }
    const status = await this.#status(decodeObject(stored.body).url);
    const at = clock.now();
    const digest = hex(stored.digest);
    const now = await store.get(oid);
    // The requested URL may differ from the current summary's.
    if (now === undefined || hex(now.digest) !== digest) return { state: 'unknown', status };
    let state: LinkCheck['state'] = status === null || status >= 500 || status === 429 ? 'unknown' : 'alive';
    if (status !== null && removedStatuses.has(status)) {
      const before = this.#missing.get(oid);
      const again = before?.digest === digest && (before.state === 'gone' || at - before.at >= recheckMs);
      state = again ? 'gone' : 'suspect';
      const since = !again && before?.digest === digest ? before.at : at;
      await this.#remember(oid, { state, status, at: since, digest });
      if (state === 'gone') await withdraw(oid);
    } else if (state === 'alive') await this.#forget(oid);
    this.#recent.set(oid, { state, status, at });
    return { state, status };
  }

  /** The status that a URL answers with, or null. A server that refuses HEAD is sent GET. */
  async #status(url: string): Promise<number | null> {
    const ask = async (method: 'HEAD' | 'GET') => {
      const response = await this.#options.fetch({ url, method });
      await readStart(response, 1);
      return response.status;
    };
    try {
      const status = await ask('HEAD');
      return status < 400 ? status : await ask('GET');
    } catch (error) {
      if (isGarnerError(error)) return null;
      throw error;
    }
  }

  async #remember(oid: Oid, missing: Missing): Promise<void> {
    this.#missing.delete(oid);
    this.#missing.set(oid, missing);
    const [oldest] = this.#missing.keys();
    if (this.#missing.size > maxMissing && oldest !== undefined) await this.#forget(oldest);
    const value = Buffer.from(JSON.stringify(missing));
    await this.#options.database.batch([{ type: 'put', key: Buffer.from(oid), value }]);
  }

  async #forget(oid: Oid): Promise<void> {
    if (!this.#missing.delete(oid)) return;
    await this.#options.database.batch([{ type: 'del', key: Buffer.from(oid) }]);
  }
}
