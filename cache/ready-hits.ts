import { answerFrom } from './answers.ts';
import { type ReadyHead, type ReadySource, ReadyTable } from './doors/fast-lane/index.ts';
import type { CacheRequest } from './exchange.ts';
import { type CachePolicy, Fields, nextAgeAtMs, type RawFields, reuse, varyNamesOf } from './rules/index.ts';
import type { Selection } from './selection.ts';
import type { Entry, EntryStore } from './storage/index.ts';
import { type StoreWatcher, watchedStore } from './watched-store.ts';

export interface ReadyHitsOptions {
  readonly store: EntryStore;
  readonly policy: CachePolicy;
  /** How the cache is called in Via and Cache-Status. */
  readonly name: string;
  /** Bytes of contents that may be ready; those that memory holds anyway count as well. */
  readonly maxBytes: number;
  /** How long connections are kept for a next request, as answers say. */
  readonly keepAliveMs: number;
}

const none = new Fields([]);
const nothing = new Uint8Array(0);

/**
 * Fresh hits as a fast lane can give them, by the same rules and with the same fields as `ObjectCache` does. A response
 * is taken up when the cache has just answered with it, looked up anew whenever its Age changes, and dropped at once when
 * something is stored, made new or purged under its URL.
 */
export class ReadyHits implements StoreWatcher {
  readonly table: ReadyTable;
  /** The store, whose changes are seen here: everybody is to change it through this. */
  readonly store: EntryStore;
  /** Told of hits that nobody else has seen. */
  onHits: (count: number, contentBytes: number) => void = () => undefined;
  readonly #options: ReadyHitsOptions;

  constructor(options: ReadyHitsOptions) {
    this.#options = options;
    this.table = new ReadyTable(options.maxBytes, options.keepAliveMs);
    this.store = watchedStore(options.store, this);
  }

  changed(key: string): void {
    this.table.forget(key);
  }

  allChanged(): void {
    this.table.forgetAll();
  }

  /** A request was answered with a fresh stored response, without asking anybody. */
  answered(request: CacheRequest, { entry, variants }: Selection, nowMs: number): void {
    if (entry === undefined || entry.part !== undefined || request.method !== 'GET') return;
    const content = this.#options.store.hotContent(entry);
    if (content === undefined || request.content !== undefined) return;
    const vary = new Set<string>();
    for (const { head } of variants) {
      const names = varyNamesOf(head);
      if (names === '*') return;
      for (const name of names) vary.add(name);
    }
    const { url, fields: requestFields } = request;
    this.table.learn({ url, vary: [...vary], requestFields, source: this.#sourceOf(entry, content) }, nowMs);
  }

  #sourceOf(entry: Entry, content: Uint8Array): ReadySource {
    const { store } = this.#options;
    const fields = new Fields(entry.head.fields);
    const [etag, lastModified] = [fields.get('etag'), fields.get('last-modified')];
    const condition =
      etag === undefined
        ? lastModified !== undefined && ['If-Modified-Since', lastModified]
        : ['If-None-Match', etag];
    return {
      of: entry,
      content,
      ...(etag !== undefined && { etag }),
      ...(etag === undefined && lastModified !== undefined && { lastModified }),
      headAt: (nowMs) => this.#headAt(entry, condition || undefined, nowMs),
      onHits: (count, contentBytes) => {
        store.touch(entry, count);
        this.onHits(count, contentBytes);
      },
    };
  }

  /** What the cache would say now of an entry; undefined when it is not there any more or not fresh. */
  #headAt(entry: Entry, condition: RawFields | undefined, nowMs: number): ReadyHead | undefined {
    const { store, policy, name } = this.#options;
    const variants = store.variants(entry.key);
    // What must be waited for is none of the fast lane's.
    if (!Array.isArray(variants)) return undefined;
    const now = (variants as readonly Entry[]).find(({ id }) => id === entry.id);
    if (now === undefined) return undefined;
    const { head, invalidated, staleSinceMs } = now;
    const judged = reuse({
      ...{ requestFields: none, head, invalidated, staleSinceMs },
      ...{ nowMs, policy, fromCache: false },
    });
    if (judged.kind !== 'fresh') return undefined;
    const { rule, ttlSeconds, ageSeconds } = judged;
    const decision = { outcome: 'hit' as const, rule, ttlSeconds };
    const telling = { name, decision };
    const source = { length: entry.contentLength, take: () => nothing };
    const answer = (fields: RawFields) =>
      answerFrom({ method: 'GET', fields }, head, source, { ageSeconds }, telling);
    const whole = answer([]);
    if (whole === undefined) return undefined;
    const unchanged = condition === undefined ? undefined : answer(condition);
    return {
      ...{ status: whole.status, reason: whole.reason, fields: whole.fields, decision },
      ...(unchanged?.status === 304 && { notModifiedFields: unchanged.fields }),
      untilMs: nextAgeAtMs(head, nowMs),
    };
  }
}
