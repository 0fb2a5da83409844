import type { StoredHead } from '../../rules/index.ts';
import { byReceipt, type StoredEntry } from '../model/stored-entry.ts';
import type { DiskState } from './disk-state.ts';
import { freshMeta, readMeta } from './meta-reading.ts';
import type { Meta } from './meta-record.ts';

const none: readonly StoredEntry[] = [];
/** Max look-ups of a key whose entries change during each look-up. */
const maxTries = 8;

/** A head that is newer than the one on disk and is not written yet. */
export interface WaitingHead {
  readonly id: number;
  readonly head: StoredHead;
}

/** Finds the entries of a key: in memory if it has all of them, else by reading them from disk into it. */
export class Lookup {
  readonly #state: DiskState;
  readonly #loading = new Map<string, Promise<readonly StoredEntry[]>>();
  /** By slot. */
  readonly waitingHeads = new Map<number, WaitingHead>();

  constructor(state: DiskState) {
    this.#state = state;
  }

  /** Every entry of a key, the latest received first. Returns no promise when memory has them. */
  variants(key: string): readonly StoredEntry[] | Promise<readonly StoredEntry[]> {
    const held = this.#held(key);
    if (held !== undefined) return held;
    const slots = this.#state.index.find(key);
    if (slots.length === 0) return none;
    let loading = this.#loading.get(key);
    if (loading === undefined) {
      const fresh = this.#fresh(key, slots);
      if (fresh !== undefined) return fresh;
      loading = this.#load(key).finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** The entries of a key and their places. Equal texts show that no entry was added, removed or updated. */
  stamp(key: string): string {
    const { index, table } = this.#state;
    return index
      .find(key)
      .map((slot) => {
        const { file, offset } = index.metaPlace(slot);
        return `${table.serial(slot)} ${file} ${offset}`;
      })
      .join();
  }

  /** The current entries of a key, when memory holds them. */
  #held(key: string): readonly StoredEntry[] | undefined {
    const { hot, marks } = this.#state;
    const entries = hot.get(key);
    if (entries === undefined) return undefined;
    let changed = false;
    const purged = marks.active.length > 0;
    for (const entry of entries) {
      if (purged && this.#state.isThere(entry)) this.#state.applyMarks(entry.slot, entry);
      if (!this.#state.isThere(entry) || !this.#state.isUnchanged(entry)) changed = true;
    }
    if (!changed) return entries;
    const now = this.asNow(entries);
    hot.put(key, now);
    return now.length > 0 ? now : undefined;
  }

  /** The entries in these slots, when memory still has the written bytes of all of them. */
  #fresh(key: string, slots: readonly number[]): readonly StoredEntry[] | undefined {
    const entries: StoredEntry[] = [];
    for (const slot of slots) {
      const meta = freshMeta(this.#state, slot);
      if (meta === undefined) return undefined;
      if (meta.key !== key || !this.#state.applyMarks(slot, meta)) continue;
      entries.push(this.entry(slot, meta));
    }
    entries.sort(byReceipt);
    this.#state.hot.put(key, entries);
    return entries;
  }

  /** Those of the given entries that are still stored, with their current state. */
  asNow(entries: readonly StoredEntry[]): StoredEntry[] {
    return entries
      .filter((entry) => this.#state.isThere(entry))
      .map((entry) => {
        const waiting = this.waitingHeads.get(entry.slot);
        const head = waiting?.id === entry.id ? waiting.head : entry.head;
        if (head === entry.head && this.#state.isUnchanged(entry)) return entry;
        const { staleSinceMs: _, ...rest } = entry;
        return { ...rest, head, ...this.#state.purgeState(entry.slot) };
      });
  }

  async #load(key: string): Promise<readonly StoredEntry[]> {
    for (let tries = 1; ; tries++) {
      const stamp = this.stamp(key);
      const found = await this.#read(key);
      if (tries < maxTries && (found === undefined || this.stamp(key) !== stamp)) continue;
      const entries = this.asNow(found ?? []).sort(byReceipt);
      if (tries < maxTries) this.#state.hot.put(key, entries);
      return entries;
    }
  }

  /** The entries that the index has for a key, read from disk. Undefined when one of them moved meanwhile. */
  async #read(key: string): Promise<StoredEntry[] | undefined> {
    const { index, table } = this.#state;
    const slots = index.find(key).map((slot) => ({ slot, id: table.serial(slot) }));
    const metas = await Promise.all(slots.map(({ slot }) => readMeta(this.#state, slot)));
    const entries: StoredEntry[] = [];
    for (const [at, { slot, id }] of slots.entries()) {
      const meta = metas[at];
      if (!table.isUsed(slot) || table.serial(slot) !== id) continue;
      if (meta === undefined) return undefined;
      // The entry may be of another key with the same 64-bit hash.
      if (meta.key !== key || !this.#state.applyMarks(slot, meta)) continue;
      entries.push(this.entry(slot, meta));
    }
    return entries;
  }

  entry(slot: number, meta: Meta): StoredEntry {
    const { table } = this.#state;
    const id = table.serial(slot);
    const waiting = this.waitingHeads.get(slot);
    return {
      ...{ slot, id, key: meta.key },
      head: waiting?.id === id ? waiting.head : meta.head,
      contentLength: table.contentLength(slot),
      ...(meta.part === undefined ? {} : { part: meta.part }),
      ...this.#state.purgeState(slot),
      tags: meta.tags,
    };
  }
}
