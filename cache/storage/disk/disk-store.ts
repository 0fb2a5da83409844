import { failure, yieldToEventLoop } from '../../../kernel/index.ts';
import { cacheErrors, storeFailed } from '../../errors.ts';
import type { ByteRange, StoredHead } from '../../rules/index.ts';
import { InFlightMap } from '../../waiting/index.ts';
import { bytePieces, failing } from '../model/content-blocks.ts';
import type { Entry, EntryStore, EntryWriter, PurgeTarget } from '../model/entry.ts';
import { effectOf, type PurgeEffect } from '../model/purge-effect.ts';
import {
  byReceipt,
  type EntryPlan,
  keyHash,
  largestFirst,
  maxVariants,
  type StoredEntry,
  sameSelecting,
  tagged,
  withinContent,
} from '../model/stored-entry.ts';
import { freshContent, readContent } from './content-reading.ts';
import type { DiskState } from './disk-state.ts';
import { DiskWriter, type Keep } from './disk-writer.ts';
import { Lookup } from './entry-lookup.ts';
import { HeadUpdates } from './head-updates.ts';
import { readKeys, readMeta } from './meta-reading.ts';
import { PurgeSweep } from './purge-sweep.ts';

/** Rows per slice between yields to the event loop. */
const slice = 20_000;
const readTogether = 4096;
const maxTries = 8;

/** Responses on disk, with recently requested ones in memory too. */
export class DiskStore implements EntryStore {
  readonly #state: DiskState;
  readonly #lookup: Lookup;
  readonly #heads: HeadUpdates;
  readonly #sweeper: PurgeSweep;
  readonly #writers = new InFlightMap<number, DiskWriter>();
  #begun = 0;
  readonly #close: () => Promise<void>;

  /** `close` is called after everything is on disk. */
  constructor(state: DiskState, close: () => Promise<void>) {
    this.#state = state;
    this.#lookup = new Lookup(state);
    this.#heads = new HeadUpdates(state, this.#lookup);
    this.#sweeper = new PurgeSweep(state);
    this.#close = close;
    // The budget, or the room on the disk, may be smaller than at the last start.
    state.fitDisk().catch((error) => state.trouble(error));
    // Purges that a crash interrupted.
    if (state.marks.active.length > 0) this.#sweeper.sweep().catch((error) => state.trouble(error));
  }

  get largestBytes(): number {
    return Math.min(this.#state.largestEntryBytes, this.#state.room.largest);
  }

  variants(key: string): readonly Entry[] | Promise<readonly Entry[]> {
    return this.#lookup.variants(key);
  }

  has(key: string): boolean {
    const { index, marks, table } = this.#state;
    return index.find(key).some((slot) => {
      const purges = marks.concerning(table, slot);
      return !purges.some(
        ({ effect, target }) =>
          effect === 'forget' && !('prefix' in target && !key.startsWith(target.prefix)),
      );
    });
  }

  touch(entry: Entry, times = 1): void {
    if (!this.#state.isThere(entry)) return;
    this.#state.touch(entry.slot, times);
  }

  hotContent(entry: Entry): Uint8Array | undefined {
    if (!this.#state.isThere(entry)) return undefined;
    return this.#state.hot.content(entry.slot) ?? freshContent(this.#state, entry);
  }

  read(entry: Entry, range?: ByteRange): AsyncIterable<Uint8Array> {
    const place = withinContent(entry, range);
    if (place === undefined || !this.#state.isThere(entry))
      return failing(failure(cacheErrors.CACHE_GONE, { key: entry.key }));
    const hot = this.hotContent(entry);
    if (hot !== undefined) return bytePieces(hot.subarray(place.from, place.end));
    if (place.from === place.end) return bytePieces(new Uint8Array());
    try {
      return readContent(this.#state, entry, place.from, place.end);
    } catch (error) {
      return failing(error);
    }
  }

  write(options: EntryPlan): EntryWriter | undefined {
    const state = this.#state;
    const plan = tagged(options);
    const largest = this.largestBytes;
    if (state.isClosed || state.condition.pauseMs > 0 || largest < (plan.length ?? 0)) {
      state.refused++;
      return undefined;
    }
    const number = this.#begun++;
    const onEnd = () => this.#writers.delete(number);
    const writer = new DiskWriter(state, plan, { keep: (row) => this.#keep(row), onEnd, largest });
    this.#writers.set(number, writer);
    return writer;
  }

  updateHead(entry: Entry, head: StoredHead): Entry | undefined {
    return this.#heads.update(entry, head);
  }

  remove(entry: Entry): void {
    if (this.#state.isThere(entry)) this.#state.drop(entry.slot);
  }

  async purge(target: PurgeTarget, { soft }: { readonly soft: boolean }): Promise<number> {
    const effect = effectOf(soft, this.#state.clock.now());
    if (!('url' in target)) return this.#sweeper.purge(target, effect);
    const count = this.#affect(target.url, effect);
    if (count > 0)
      await this.flush().catch((error: unknown) => {
        throw storeFailed(this.#state.folder, error);
      });
    return count;
  }

  async invalidate(key: string): Promise<number> {
    const count = this.#affect(key, 'validate');
    // It is part of many requests, which need only that it outlives the process.
    if (count > 0) await this.#state.journal.written();
    return count;
  }

  /** Apply an effect to all entries of a key, at once, and to those being written. */
  #affect(key: string, effect: PurgeEffect): number {
    const { index, marks } = this.#state;
    marks.recent.add({ url: key }, effect);
    const slots = index.find(key);
    for (const slot of slots)
      if (effect === 'forget') this.#state.drop(slot);
      else index.affect(slot, effect);
    return slots.length;
  }

  async top(order: 'hits' | 'size', count: number): Promise<readonly { entry: Entry; hits: number }[]> {
    const { table } = this.#state;
    const rank = (slot: number) => (order === 'hits' ? table.hits(slot) : table.contentLength(slot));
    let best: number[] = [];
    for (let from = 0; from < table.end; from += slice) {
      const slots = Array.from({ length: Math.min(slice, table.end - from) }, (_, at) => from + at);
      best = largestFirst(
        [...best, ...slots].filter((slot) => table.isUsed(slot)),
        rank,
        count,
      );
      await yieldToEventLoop();
    }
    const found: { entry: Entry; hits: number }[] = [];
    for (const slot of best) {
      const meta = table.isUsed(slot) ? await readMeta(this.#state, slot) : undefined;
      if (meta === undefined || !this.#state.applyMarks(slot, meta)) continue;
      found.push({ entry: this.#lookup.entry(slot, meta), hits: table.hits(slot) });
    }
    return found;
  }

  async *keys(): AsyncIterable<string> {
    const { table, index } = this.#state;
    for (let from = 0; from < table.end; from += readTogether) {
      const slots = Array.from({ length: Math.min(readTogether, table.end - from) }, (_, at) => from + at);
      // Only the first slot of a key with variants yields it.
      for await (const [slot, key] of readKeys(this.#state, slots))
        if (Math.min(...index.find(key)) === slot && this.has(key)) yield key;
    }
  }

  statistics() {
    const { table, index, hot, tail, room, condition, buffered, evicted, damaged, refused } = this.#state;
    return {
      entries: table.size,
      contentBytes: index.contentBytes,
      diskBytes: room.usedBytes,
      diskBudgetBytes: condition.budget,
      diskUsableBytes: condition.usable,
      disk: condition.report,
      memoryBytes: hot.bytes + tail.bytes + buffered,
      memoryBudgetBytes: hot.budget + tail.budget,
      ...{ evicted, damaged, refused },
    };
  }

  async flush(): Promise<void> {
    await this.#heads.written();
    await this.#state.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state.isClosed) return;
    this.#state.isClosed = true;
    for (const writer of this.#writers.values()) writer.abort();
    // Commits in flight end by themselves.
    while (this.#writers.size > 0) await yieldToEventLoop();
    await this.flush().catch(async (error: unknown) => {
      this.#state.trouble(error);
      // A sync that fails in another file leaves the last records unwritten.
      await this.#state.journal.written();
    });
    await this.#close();
  }

  /** Add an entry whose bytes are on disk to the index, in place of those that answer the same requests. */
  readonly #keep: Keep = async ({ plan, serial, mark, meta, content, whole }) => {
    const { index, hot, tail, marks, policy } = this.#state;
    const { key, tags, head } = plan;
    let others: readonly StoredEntry[] = [];
    // Most keys have no entry yet: then there is nothing to wait for.
    for (let tries = 0; tries < maxTries && index.find(key).length > 0; tries++) {
      const stamp = this.#lookup.stamp(key);
      others = await this.#lookup.variants(key);
      if (this.#lookup.stamp(key) === stamp) break;
    }
    // Another head may have been stored since the look-up.
    others = this.#lookup.asNow(others);
    const purged = marks.recent.since(mark, { key, tags });
    if (purged === 'forget') return undefined;
    const staying = others.filter((other) => !sameSelecting(other.head, head));
    for (const other of others) if (!staying.includes(other)) this.remove(other);
    for (const oldest of staying.splice(maxVariants - 1)) this.remove(oldest);
    // Keys with colliding hashes must not make each other slow.
    for (const collider of index.find(key).slice(2 * maxVariants)) this.#state.drop(collider);
    const slot = index.add({ key, tags, serial, mark: marks.latest, meta, content });
    index.affect(slot, purged);
    policy.added(slot, index.bytes(slot), keyHash(key, 0));
    const entry: StoredEntry = {
      slot,
      id: serial,
      key,
      head,
      contentLength: content.length,
      ...(plan.part && { part: plan.part }),
      ...this.#state.purgeState(slot),
      tags,
    };
    // Most entries are never requested again: memory has their written bytes, and builds objects on request.
    if (others.length === 0 && tail.has(meta.file, meta.offset, meta.bytes)) return entry;
    hot.put(key, [...staying, entry].sort(byReceipt));
    if (whole !== undefined && hot.admits(content.length)) hot.keepContent(entry, whole());
    return entry;
  };
}
