import type { StoredHead } from '../../rules/index.ts';
import { byReceipt, type StoredEntry } from '../model/stored-entry.ts';
import type { DiskState } from './disk-state.ts';
import { freshMeta, readMeta } from './meta-reading.ts';
import type { Meta } from './meta-record.ts';

const none: readonly StoredEntry[] = [];
/** Looked again so often when entries of the key come and go meanwhile. */
const maxTurns = 8;

/** A head that came after the one on disk and is not there yet. */
export interface WaitingHead {
  readonly id: number;
  readonly head: StoredHead;
}

/** Finds the entries of a key: from memory when it has all of them, else from disk, and memory holds them then. */
export class Lookup {
  readonly #state: DiskState;
  readonly #loading = new Map<string, Promise<readonly StoredEntry[]>>();
  /** By slot. */
  readonly waitingHeads = new Map<number, WaitingHead>();

  constructor(state: DiskState) {
    this.#state = state;
  }

  /** Every entry of a key, those received last first; at once when memory has them. */
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

  /** Which entries a key has in the index and where; two equal texts mean that none came, went or got another head. */
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

  /** The entries of a key as they are now, when memory holds them. */
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

  /** The entries in these slots when memory still has what was written of all of them. */
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

  /** Those of these entries that are still there, as they are now. */
  asNow(entries: readonly StoredEntry[]): StoredEntry[] {
    return entries
      .filter((entry) => this.#state.isThere(entry))
      .map((entry) => {
        const waiting = this.waitingHeads.get(entry.slot);
        const head = waiting?.id === entry.id ? waiting.head : entry.head;
        if (head === entry.head && this.#state.isUnchanged(entry)) return entry;
        const { staleSinceMs: _, ...rest } = entry;
        return { ...rest, head, ...this.#state.standing(entry.slot) };
      });
  }

  async #load(key: string): Promise<readonly StoredEntry[]> {
    for (let turn = 1; ; turn++) {
      const stamp = this.stamp(key);
      const found = await this.#read(key);
      if (turn < maxTurns && (found === undefined || this.stamp(key) !== stamp)) continue;
      const entries = this.asNow(found ?? []).sort(byReceipt);
      if (turn < maxTurns) this.#state.hot.put(key, entries);
      return entries;
    }
  }

  /** What the index says this key has, read from disk; undefined when an entry moved meanwhile. */
  async #read(key: string): Promise<StoredEntry[] | undefined> {
    const { index, table } = this.#state;
    const slots = index.find(key).map((slot) => ({ slot, id: table.serial(slot) }));
    const metas = await Promise.all(slots.map(({ slot }) => readMeta(this.#state, slot)));
    const entries: StoredEntry[] = [];
    for (const [at, { slot, id }] of slots.entries()) {
      const meta = metas[at];
      if (!table.isUsed(slot) || table.serial(slot) !== id) continue;
      if (meta === undefined) return undefined;
      // Another key with the same 64 bits of hash.
      if (meta.key !== key || !this.#state.applyMarks(slot, meta)) continue;
      entries.push(this.entry(slot, meta));
    }
    return entries;
  }

  /** The entry in a slot, given what stands on disk of it. */
  entry(slot: number, meta: Meta): StoredEntry {
    const { table } = this.#state;
    const id = table.serial(slot);
    const waiting = this.waitingHeads.get(slot);
    return {
      ...{ slot, id, key: meta.key },
      head: waiting?.id === id ? waiting.head : meta.head,
      contentLength: table.contentLength(slot),
      ...(meta.part === undefined ? {} : { part: meta.part }),
      ...this.#state.standing(slot),
      tags: meta.tags,
    };
  }
}
