import { type ReadyMetadata, readyHeadOf, type Selection, validatorsOf } from '../answers/index.ts';
import { type ReadyHead, type ReadySource, ReadyTable } from '../doors/index.ts';
import type { CacheRequest } from '../requests/index.ts';
import { varyNamesOf } from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';
import { WorkerCopyLedger } from '../workers/index.ts';
import { type StoreWatcher, watchedStore } from './watched-store.ts';

export interface ReadyHitsOptions extends ReadyMetadata {
  readonly store: EntryStore;
  /** Max bytes of prebuilt contents, including those that memory holds anyway. */
  readonly maxBytes: number;
  /** How long idle connections stay open, as answers state it. */
  readonly keepAliveMs: number;
  /** Whether workers get copies; without it no ledger of copies is kept. */
  readonly isShared?: boolean;
}

const ignore = () => undefined;

/**
 * Fresh hits for a fast lane, by the rules of `ObjectCache`: learned from its answers, rebuilt when Age
 * changes, removed at any change under their URL.
 */
export class PrebuiltHits implements StoreWatcher {
  readonly table: ReadyTable;
  /** The copies that workers have. */
  readonly copies: WorkerCopyLedger | undefined;
  /** The store, whose changes are seen here: all changes must go through this one. */
  readonly store: EntryStore;
  /** Called with hits that nothing else has counted. */
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

  /** The cache answered a request with a fresh stored response, without a request upstream. */
  answered(request: CacheRequest, { entry, variants }: Selection, nowMs: number): void {
    if (entry === undefined || entry.part !== undefined || request.method !== 'GET') return;
    // A worker may still answer with the older response.
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
      isStored: () => this.#found(entry) !== 'removed',
      onHits: (count, contentBytes) => {
        store.touch(entry, count);
        this.onHits(count, contentBytes);
      },
    };
  }

  /** The head that the cache would send now for an entry; undefined when it is no longer stored or not fresh. */
  #headAt(entry: Entry, nowMs: number): ReadyHead | undefined {
    const now = this.#found(entry);
    return typeof now === 'string' ? undefined : readyHeadOf(now, this.#options, nowMs);
  }

  /** An entry as it is now. `elsewhere`: the store would have to read it, and the fast lane does not wait. */
  #found(entry: Entry): Entry | 'removed' | 'elsewhere' {
    const variants = this.#options.store.variants(entry.key);
    if (!Array.isArray(variants)) return 'elsewhere';
    return (variants as readonly Entry[]).find(({ id }) => id === entry.id) ?? 'removed';
  }
}
