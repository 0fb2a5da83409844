import { type Clock, failure, yieldToEventLoop } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';
import { type EvictionPolicy, largestAdmitted } from '../../eviction/index.ts';
import type { ByteRange, StoredHead } from '../../rules/index.ts';
import { bytePieces, failing } from '../model/content-blocks.ts';
import type { Entry, EntryStore, EntryWriter, PurgeTarget } from '../model/entry.ts';
import {
  bothEffects,
  effectOf,
  effectOn,
  isCovered,
  type PurgeEffect,
  stateAfter,
} from '../model/purge-effect.ts';
import { RecentPurges } from '../model/recent-purges.ts';
import {
  byReceipt,
  type EntryPlan,
  headBytes,
  keyHash,
  largestFirst,
  maxVariants,
  type StoredEntry,
  sameSelecting,
  type TaggedPlan,
  tagged,
  withinContent,
} from '../model/stored-entry.ts';
import { MemoryWriter } from './memory-writer.ts';

const none: readonly StoredEntry[] = [];
/** Keys per slice between yields to the event loop. */
const slice = 2000;

interface Slot {
  entry: StoredEntry;
  readonly content: Uint8Array;
  readonly bytes: number;
  hits: number;
}

export interface MemoryStoreOptions {
  readonly memoryBytes: number;
  readonly largestEntryBytes: number;
  readonly policy: EvictionPolicy;
  readonly clock: Clock;
}

/** Everything in memory, for a cache without a folder and for tests of other parts. Nothing survives the process. */
export class MemoryStore implements EntryStore {
  readonly #options: MemoryStoreOptions;
  readonly #policy: EvictionPolicy;
  readonly #byKey = new Map<string, readonly StoredEntry[]>();
  readonly #slots: (Slot | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #purges = new RecentPurges();
  #entries = 0;
  #lastId = 0;
  /** Bytes of entries, and of those being written. */
  #used = 0;
  #contentBytes = 0;
  #evicted = 0;
  #refused = 0;
  #closed = false;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#policy = options.policy;
  }

  get largestBytes(): number {
    const { largestEntryBytes, memoryBytes } = this.#options;
    return Math.min(largestEntryBytes, largestAdmitted(memoryBytes));
  }

  variants(key: string): readonly StoredEntry[] {
    return this.#byKey.get(key) ?? none;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  touch(entry: Entry, times = 1): void {
    const slot = this.#slotOf(entry);
    if (slot === undefined) return;
    slot.hits += times;
    this.#policy.touched(slot.entry.slot);
  }

  hotContent(entry: Entry): Uint8Array | undefined {
    return this.#slotOf(entry)?.content;
  }

  read(entry: Entry, range?: ByteRange): AsyncIterable<Uint8Array> {
    const slot = this.#slotOf(entry);
    const place = withinContent(entry, range);
    if (slot === undefined || place === undefined)
      return failing(failure(cacheErrors.CACHE_GONE, { key: entry.key }));
    return bytePieces(slot.content.subarray(place.from, place.end));
  }

  write(options: EntryPlan): EntryWriter | undefined {
    const plan = tagged(options);
    const largest = Math.min(this.largestBytes, this.#options.memoryBytes - headBytes(plan));
    if (this.#closed || largest < (plan.length ?? 0)) {
      this.#refused++;
      return undefined;
    }
    const since = this.#purges.latest;
    return new MemoryWriter(
      plan,
      {
        reserve: (bytes) => this.#reserve(bytes),
        release: (bytes) => {
          this.#used -= bytes;
        },
        add: (content) => this.#keep(plan, content, since),
      },
      largest,
    );
  }

  updateHead(entry: Entry, head: StoredHead): Entry | undefined {
    const slot = this.#slotOf(entry);
    if (slot === undefined) return undefined;
    const { staleSinceMs: _, ...rest } = slot.entry;
    return this.#replace(slot, { ...rest, head, invalidated: false });
  }

  remove(entry: Entry): void {
    const slot = this.#slotOf(entry);
    if (slot !== undefined) this.#drop(slot, 'removed');
  }

  async purge(target: PurgeTarget, { soft }: { readonly soft: boolean }): Promise<number> {
    const effect = effectOf(soft, this.#options.clock.now());
    if ('url' in target) return this.#purgeKey(target.url, effect);
    this.#purges.add(target, effect);
    const before = this.#lastId;
    let count = 0;
    let looked = 0;
    for (const entries of this.#byKey.values()) {
      const met = entries.filter((entry) => entry.id <= before && isCovered(target, entry));
      count += this.#affect(met, effect);
      if (++looked % slice === 0) await yieldToEventLoop();
    }
    return count;
  }

  async invalidate(key: string): Promise<number> {
    return this.#purgeKey(key, 'validate');
  }

  #purgeKey(key: string, effect: PurgeEffect): number {
    this.#purges.add({ url: key }, effect);
    return this.#affect(this.variants(key), effect);
  }

  #affect(entries: readonly StoredEntry[], effect: PurgeEffect): number {
    let count = 0;
    for (const entry of entries) {
      const slot = this.#slotOf(entry);
      if (slot === undefined) continue;
      count++;
      if (effect === 'forget') this.#drop(slot, 'removed');
      else {
        const { staleSinceMs: _, ...rest } = entry;
        this.#replace(slot, { ...rest, ...stateAfter(bothEffects(effectOn(entry), effect)) });
      }
    }
    return count;
  }

  async top(order: 'hits' | 'size', count: number): Promise<readonly { entry: Entry; hits: number }[]> {
    const rank = ({ hits, entry }: Slot) => (order === 'hits' ? hits : entry.contentLength);
    const all = this.#slots.filter((slot) => slot !== undefined);
    return largestFirst(all, rank, count).map(({ entry, hits }) => ({ entry, hits }));
  }

  async *keys(): AsyncIterable<string> {
    yield* this.#byKey.keys();
  }

  statistics() {
    return {
      entries: this.#entries,
      contentBytes: this.#contentBytes,
      diskBytes: 0,
      diskBudgetBytes: 0,
      diskUsableBytes: 0,
      disk: { state: 'well' as const, since: null, reason: null },
      memoryBytes: this.#used,
      memoryBudgetBytes: this.#options.memoryBytes,
      evicted: this.#evicted,
      damaged: 0,
      refused: this.#refused,
    };
  }

  async flush(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
  }

  #slotOf(entry: Entry): Slot | undefined {
    const slot = this.#slots[(entry as StoredEntry).slot];
    return slot?.entry.id === entry.id ? slot : undefined;
  }

  #reserve(bytes: number): boolean {
    while (this.#used + bytes > this.#options.memoryBytes) {
      const slot = this.#slots[this.#policy.evict()];
      if (slot === undefined) {
        this.#refused++;
        return false;
      }
      this.#evicted++;
      this.#drop(slot, 'evicted');
    }
    this.#used += bytes;
    return true;
  }

  #keep(plan: TaggedPlan, content: Uint8Array, since: number): Entry | undefined {
    const purged = this.#purges.since(since, plan);
    if (purged === 'forget') return undefined;
    const bytes = headBytes(plan) + content.length;
    for (const other of this.variants(plan.key)) if (sameSelecting(other.head, plan.head)) this.remove(other);
    if (this.#closed || !this.#reserve(bytes)) return undefined;
    const oldest = this.variants(plan.key)[maxVariants - 1];
    if (oldest !== undefined) this.remove(oldest);
    const number = this.#free.pop() ?? this.#slots.length;
    const entry: StoredEntry = {
      slot: number,
      id: ++this.#lastId,
      key: plan.key,
      head: plan.head,
      contentLength: content.length,
      ...(plan.part === undefined ? {} : { part: plan.part }),
      ...stateAfter(purged),
      tags: plan.tags,
    };
    this.#slots[number] = { entry, content, bytes, hits: 0 };
    this.#policy.added(number, bytes, keyHash(plan.key, 0));
    this.#byKey.set(plan.key, [...this.variants(plan.key), entry].sort(byReceipt));
    this.#entries++;
    this.#contentBytes += content.length;
    return entry;
  }

  #replace(slot: Slot, entry: StoredEntry): StoredEntry {
    slot.entry = entry;
    const others = this.variants(entry.key).filter(({ id }) => id !== entry.id);
    this.#byKey.set(entry.key, [...others, entry].sort(byReceipt));
    return entry;
  }

  #drop(slot: Slot, how: 'removed' | 'evicted'): void {
    const { entry, bytes } = slot;
    if (how === 'removed') this.#policy.removed(entry.slot);
    this.#slots[entry.slot] = undefined;
    this.#free.push(entry.slot);
    const others = this.variants(entry.key).filter(({ id }) => id !== entry.id);
    if (others.length === 0) this.#byKey.delete(entry.key);
    else this.#byKey.set(entry.key, others);
    this.#used -= bytes;
    this.#contentBytes -= entry.contentLength;
    this.#entries--;
  }
}
