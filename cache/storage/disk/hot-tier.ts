import type { EvictionPolicy } from '../../eviction/index.ts';
import { headBytes, keyHash, type StoredEntry } from '../model/stored-entry.ts';

interface HotKey {
  readonly place: number;
  readonly key: string;
  entries: readonly StoredEntry[];
  bytes: number;
}

/** A content larger than this fraction of the budget is not held in memory: 1/16. */
const minParts = 16;

/**
 * Recently requested entries, decoded, with their contents, within a budget of bytes. A key is evicted with
 * all its entries; entries may be out of date, which the store detects by its index.
 */
export class HotTier {
  readonly budget: number;
  readonly #policy: EvictionPolicy;
  readonly #keys = new Map<string, HotKey>();
  readonly #places: (HotKey | undefined)[] = [];
  readonly #free: number[] = [];
  /** By slot. */
  readonly #contents = new Map<number, { readonly content: Uint8Array; readonly owner: HotKey }>();
  #bytes = 0;

  constructor(budget: number, policy: EvictionPolicy) {
    this.budget = budget;
    this.#policy = policy;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a content of this length may be held. */
  admits(length: number): boolean {
    return length <= this.budget / minParts;
  }

  get(key: string): readonly StoredEntry[] | undefined {
    const hot = this.#keys.get(key);
    if (hot === undefined) return undefined;
    this.#policy.touched(hot.place);
    return hot.entries;
  }

  /** Hold all entries of a key, in place of the earlier ones; contents of entries that remain are kept. */
  put(key: string, entries: readonly StoredEntry[]): void {
    let hot = this.#keys.get(key);
    if (hot === undefined) {
      if (entries.length === 0) return;
      hot = { place: this.#free.pop() ?? this.#places.length, key, entries: [], bytes: 0 };
      this.#places[hot.place] = hot;
      this.#keys.set(key, hot);
      this.#policy.added(hot.place, sumOf(entries), keyHash(key, 0));
    }
    for (const { slot, id } of hot.entries)
      if (!entries.some((entry) => entry.slot === slot && entry.id === id)) this.forgetContent(slot);
    const grown = sumOf(entries) - sumOf(hot.entries);
    hot.entries = entries;
    this.#grow(hot, grown);
    if (entries.length === 0) this.#forget(hot);
    else this.#shrink();
  }

  content(slot: number): Uint8Array | undefined {
    return this.#contents.get(slot)?.content;
  }

  /** Hold the whole content of an entry that was put. */
  keepContent(entry: StoredEntry, content: Uint8Array): void {
    const owner = this.#keys.get(entry.key);
    if (owner === undefined || !this.admits(content.length)) return;
    if (!owner.entries.some(({ slot, id }) => slot === entry.slot && id === entry.id)) return;
    this.forgetContent(entry.slot);
    this.#contents.set(entry.slot, { content, owner });
    this.#grow(owner, content.length);
    this.#shrink();
  }

  /** To be called when a slot becomes free: another entry may get it next. */
  forgetContent(slot: number): void {
    const held = this.#contents.get(slot);
    if (held === undefined) return;
    this.#contents.delete(slot);
    this.#grow(held.owner, -held.content.length);
  }

  #grow(hot: HotKey, bytes: number): void {
    hot.bytes += bytes;
    this.#bytes += bytes;
  }

  #shrink(): void {
    while (this.#bytes > this.budget) {
      const hot = this.#places[this.#policy.evict()];
      if (hot === undefined) return;
      this.#forget(hot);
    }
  }

  #forget(hot: HotKey): void {
    this.#policy.removed(hot.place);
    for (const { slot } of hot.entries) if (this.#contents.get(slot)?.owner === hot) this.forgetContent(slot);
    this.#bytes -= hot.bytes;
    this.#keys.delete(hot.key);
    this.#places[hot.place] = undefined;
    this.#free.push(hot.place);
  }
}

function sumOf(entries: readonly StoredEntry[]): number {
  return entries.reduce((sum, entry) => sum + headBytes(entry), 0);
}
