import type { StoredHead } from '../../rules/index.ts';
import { originHash } from '../disk-index/disk-index.ts';
import { word } from '../disk-index/slot-table.ts';
import type { Entry } from '../model/entry.ts';
import { byReceipt, type StoredEntry } from '../model/stored-entry.ts';
import type { DiskState } from './disk-state.ts';
import type { Lookup, WaitingHead } from './entry-lookup.ts';
import { encodeMeta } from './meta-record.ts';

/** Max heads that wait for the disk; beyond it an entry is removed rather than left with its old head. */
const maxWaiting = 10_000;
const batch = 64;

/** New heads of stored contents: valid at once, on disk a moment later. */
export class HeadUpdates {
  readonly #state: DiskState;
  readonly #lookup: Lookup;
  /** Waiting entries with all that their records need; by slot. */
  readonly #entries = new Map<number, StoredEntry>();
  #writing: Promise<void> | undefined;

  constructor(state: DiskState, lookup: Lookup) {
    this.#state = state;
    this.#lookup = lookup;
  }

  /** Give an entry another head; undefined when it is no longer stored. */
  update(entry: Entry, head: StoredHead): Entry | undefined {
    const { table, hot, marks } = this.#state;
    // A pending purge would take this entry for a later one.
    if (!this.#state.isThere(entry) || !this.#state.applyMarks(entry.slot, entry)) return undefined;
    const { slot, id, key } = entry;
    if (this.#entries.size >= maxWaiting) {
      this.#state.drop(slot);
      return undefined;
    }
    // Without a journal record yet: it must not make the old head usable.
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

  /** Resolves when the operating system has every head given before. */
  async written(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    // Heads of the same iteration of the event loop are written together.
    await undefined;
    while (this.#entries.size > 0) {
      const entries = [...this.#entries.values()].slice(0, batch);
      await Promise.all(entries.map((entry) => this.#writeOne(entry)));
    }
    // At once: a head that comes a moment later starts again.
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
      // A still newer head may have been given meanwhile.
      if (this.#state.isThere(entry) && this.#entries.get(slot) === entry)
        index.moveMeta(slot, { file: file.number, offset, bytes: meta.length });
      file.holds--;
      isDone = true;
    } catch (error) {
      this.#state.trouble(error);
    } finally {
      // With its old head it would answer for longer or shorter than permitted.
      if (!isDone && this.#state.isThere(entry)) this.#state.drop(slot);
      if (this.#entries.get(slot) === entry) {
        this.#entries.delete(slot);
        this.#lookup.waitingHeads.delete(slot);
      }
    }
  }
}
