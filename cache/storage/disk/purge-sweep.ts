import { yieldToEventLoop } from '../../../kernel/index.ts';
import { storeFailed } from '../../errors.ts';
import type { PurgeMark } from '../disk-index/purge-marks.ts';
import { word } from '../disk-index/slot-table.ts';
import type { Entry, PurgeTarget } from '../model/entry.ts';
import type { PurgeEffect } from '../model/purge-effect.ts';
import type { DiskState } from './disk-state.ts';
import { readKeys, readMetas } from './meta-reading.ts';

/** Looks at a row for a purge, changed entries, and heads read, between yields to the event loop. */
const looksTogether = 20_000;
const changesTogether = 1000;
const readTogether = 512;
/** Max active purges; further ones wait until these have been swept. */
const maxActive = 1000;

const anyEntry = { key: '', tags: [] };

/** Purges by prefix, by tag and of everything: active at once, carried out by one pass over the index. */
export class PurgeSweep {
  readonly #state: DiskState;
  #sweeping: Promise<void> | undefined;

  constructor(state: DiskState) {
    this.#state = state;
  }

  /** The number of purged entries. Rejects with CACHE_STORE_FAILED: then it is not persistent. */
  async purge(target: PurgeTarget, effect: PurgeEffect): Promise<number> {
    const { marks, folder } = this.#state;
    while (marks.active.length >= maxActive && !this.#state.isClosed) await this.sweep();
    try {
      const { mark, written } = marks.add(target, effect);
      await Promise.all([written, this.#swept(mark)]);
      return mark.count;
    } catch (error) {
      this.#state.trouble(error);
      throw storeFailed(folder, error);
    }
  }

  /** Pass over the index for the purges that are active now. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#pass().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #swept(mark: PurgeMark): Promise<void> {
    // A pass in progress does not include it.
    await this.#sweeping?.catch(() => undefined);
    // Purges left when the store closes are carried out after it is opened again.
    while (this.#state.marks.active.includes(mark) && !this.#state.isClosed) await this.sweep();
  }

  async #pass(): Promise<void> {
    // Purges of the same iteration of the event loop share a pass.
    await undefined;
    const { table, marks } = this.#state;
    const swept = marks.active;
    const newest = swept.length === 0 ? 0 : Math.max(...swept.map(({ number }) => number));
    let toRead: number[] = [];
    let changes = 0;
    let looks = 0;
    for (let slot = 0; slot < table.end && !this.#state.isClosed; slot++) {
      looks += 1 + marks.active.length;
      if (looks > looksTogether) {
        looks = 0;
        await yieldToEventLoop();
      }
      if (!table.isUsed(slot) || table.get(slot, word.mark) >= newest) continue;
      const concerning = marks.concerning(table, slot);
      if (concerning.length === 0) continue;
      // A purge of everything needs no key from disk.
      if (concerning.every(({ target }) => 'all' in target)) {
        this.#state.applyMarks(slot, anyEntry);
        if (++changes % changesTogether === 0) await yieldToEventLoop();
      } else toRead.push(slot);
      if (toRead.length < readTogether) continue;
      await this.#read(toRead);
      toRead = [];
    }
    await this.#read(toRead);
    if (this.#state.isClosed) return;
    await this.#state.sync();
    await marks.done(swept);
  }

  async #read(slots: readonly number[]): Promise<void> {
    // Without a purge by tag the key is enough, and read much faster. A purge by tag may come meanwhile.
    const hasTag = () => this.#state.marks.active.some(({ target }) => 'tag' in target);
    const withTags: number[] = [];
    if (hasTag()) withTags.push(...slots);
    else
      for await (const [slot, key] of readKeys(this.#state, slots))
        if (hasTag()) withTags.push(slot);
        else this.#apply(slot, { key, tags: [] });
    for await (const [slot, meta] of readMetas(this.#state, withTags)) this.#apply(slot, meta);
  }

  #apply(slot: number, entry: Pick<Entry, 'key' | 'tags'>): void {
    this.#state.applyMarks(slot, entry);
  }
}
