import type { StoredHead } from '../../rules/index.ts';
import { originHash } from '../disk-index/disk-index.ts';
import { word } from '../disk-index/slot-table.ts';
import type { Entry } from '../model/entry.ts';
import { byReceipt, type StoredEntry } from '../model/stored-entry.ts';
import type { DiskState } from './disk-state.ts';
import type { Lookup, WaitingHead } from './entry-lookup.ts';
import { encodeMeta } from './meta-record.ts';

/** Heads that may wait for the disk; beyond it an entry leaves instead of being kept with an old head. */
const maxWaiting = 10_000;
/** Written together. */
const batch = 64;

/** New heads of stored contents: in force at once, on disk a moment later. */
export class HeadUpdates {
  readonly #state: DiskState;
  readonly #lookup: Lookup;
  /** What waits, with all that its record needs; by slot. */
  readonly #entries = new Map<number, StoredEntry>();
  #writing: Promise<void> | undefined;

  constructor(state: DiskState, lookup: Lookup) {
    this.#state = state;
    this.#lookup = lookup;
  }

  /** Give an entry another head; undefined when it is gone. */
  update(entry: Entry, head: StoredHead): Entry | undefined {
    const { table, hot, marks } = this.#state;
    // A purge that has not come to this entry yet would take it for one made later.
    if (!this.#state.isThere(entry) || !this.#state.applyMarks(entry.slot, entry)) return undefined;
    const { slot, id, key } = entry;
    if (this.#entries.size >= maxWaiting) {
      this.#state.drop(slot);
      return undefined;
    }
    // Not told to the journal yet: it shall not say that the old head may be used.
    table.renew(slot, originHash(key));
    table.set(slot, word.mark, marks.latest);
    const { staleSinceMs: _, ...rest } = entry;
    const updated: StoredEntry = { ...rest, head, invalidated: false };
    const waiting: WaitingHead = { id, head };
    this.#lookup.waitingHeads.set(slot, waiting);
    this.#entries.set(slot, updated);
    const others = hot.get(key)?.filter((other) => other.id !== id);
    if (others !== undefined) hot.put(key, [...others, updated].sort(byReceipt));
    this.#writing ??= this.#write();
    return updated;
  }

  /** Every head given before is with the system when this resolves. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    // Those of the same turn go together.
    await undefined;
    while (this.#entries.size > 0) {
      const entries = [...this.#entries.values()].slice(0, batch);
      await Promise.all(entries.map((entry) => this.#writeOne(entry)));
    }
    // At once: what comes a moment later begins anew.
    this.#writing = undefined;
  }

  async #writeOne(entry: StoredEntry): Promise<void> {
    const { slot, id } = entry;
    const { room, log, index } = this.#state;
    let isDone = false;
    try {
      const meta = encodeMeta(id, entry);
      if (meta.length > this.#state.largestMetaBytes || !(await room.make(meta.length))) return;
      const placing = log.append([meta], meta.length);
      room.use(meta.length);
      const { file, offset } = await placing;
      // A still newer head may have come meanwhile.
      if (this.#state.isThere(entry) && this.#entries.get(slot) === entry)
        index.moveMeta(slot, { file: file.number, offset, bytes: meta.length });
      file.holds--;
      isDone = true;
    } catch (error) {
      this.#state.trouble(error);
    } finally {
      // With its old head it would answer for longer or shorter than it may.
      if (!isDone && this.#state.isThere(entry)) this.#state.drop(slot);
      if (this.#entries.get(slot) === entry) {
        this.#entries.delete(slot);
        this.#lookup.waitingHeads.delete(slot);
      }
    }
  }
}
