import { type ReadyMetadata, readyHeadOf, type Selection, validatorsOf } from '../answers/index.ts';
import { type ReadyHead, type ReadySource, ReadyTable } from '../doors/index.ts';
import type { CacheRequest } from '../requests/index.ts';
import { varyNamesOf } from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';
import { WorkerCopyLedger } from '../workers/index.ts';
import { type StoreWatcher, watchedStore } from './watched-store.ts';

export interface ReadyHitsOptions extends ReadyMetadata {
  readonly store: EntryStore;
  /** Bytes of contents that may be ready; those that memory holds anyway count as well. */
  readonly maxBytes: number;
  /** How long connections are kept for a next request, as answers say. */
  readonly keepAliveMs: number;
  /** Whether workers are to have copies; nothing is kept account of for them otherwise. */
  readonly isShared?: boolean;
}

const ignore = () => undefined;

/**
 * Fresh hits as a fast lane can give them, by the same rules and with the same fields as `ObjectCache` does. A response
 * is taken up when the cache has just answered with it, looked up anew whenever its Age changes, and dropped at once when
 * something is stored, made new or purged under its URL.
 */
export class PrebuiltHits implements StoreWatcher {
  readonly table: ReadyTable;
  /** What workers have of it. */
  readonly copies: WorkerCopyLedger | undefined;
  /** The store, whose changes are seen here: everybody is to change it through this. */
  readonly store: EntryStore;
  /** Told of hits that nobody else has seen. */
  onHits: (count: number, contentBytes: number) => void = () => undefined;
  readonly #options: ReadyHitsOptions;

  constructor(options: ReadyHitsOptions) {
    this.#options = options;
    this.table = new ReadyTable(options.maxBytes, options.keepAliveMs);
    this.copies = options.isShared ? new WorkerCopyLedger(this.table) : undefined;
    this.store = watchedStore(options.store, this);
  }

  changed(key: string): void {
    this.table.forget(key);
    this.copies?.drop(key);
  }

  allChanged(): void {
    this.table.forgetAll();
    this.copies?.drop();
  }

  writing(key: string): () => void {
    return this.copies?.writing(key) ?? ignore;
  }

  settled(): Promise<void> | undefined {
    return this.copies?.settled();
  }

  /** A request was answered with a fresh stored response, without asking anybody. */
  answered(request: CacheRequest, { entry, variants }: Selection, nowMs: number): void {
    if (entry === undefined || entry.part !== undefined || request.method !== 'GET') return;
    // A worker may still give what was there before.
    if (this.copies?.isUnsettled(request.url)) return;
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
    return {
      of: entry,
      content,
      ...validatorsOf(entry),
      headAt: (nowMs) => this.#headAt(entry, nowMs),
      isStored: () => this.#found(entry) !== 'gone',
      onHits: (count, contentBytes) => {
        store.touch(entry, count);
        this.onHits(count, contentBytes);
      },
    };
  }

  /** What the cache would say now of an entry; undefined when it is not there any more or not fresh. */
  #headAt(entry: Entry, nowMs: number): ReadyHead | undefined {
    const now = this.#found(entry);
    return typeof now === 'string' ? undefined : readyHeadOf(now, this.#options, nowMs);
  }

  /** An entry as it is now. What must be waited for is none of the fast lane's. */
  #found(entry: Entry): Entry | 'gone' | 'elsewhere' {
    const variants = this.#options.store.variants(entry.key);
    if (!Array.isArray(variants)) return 'elsewhere';
    return (variants as readonly Entry[]).find(({ id }) => id === entry.id) ?? 'gone';
  }
}
