import { maintenanceFailed, segmentsMerged } from '../events.ts';
import { presentLanguages, type Segment, type SegmentedMoment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { deleteRange } from '../index-database/write-batches.ts';
import type { IndexView, SegmentContent } from './segment-content.ts';

/** Number of segments of one size that are merged into one. */
const mergeFactor = 6;
/**
 * The same for the smallest ones, made by single changes: each costs a search little, and starting a merge
 * costs more.
 */
const smallestMerged = 16;
const maxMerged = 24;
const smallestTierBytes = 16 * 1024;
const mostlyDead = 0.4;

const tier = ({ bytes }: Segment) =>
  Math.max(0, Math.floor(Math.log(Math.max(1, bytes / smallestTierBytes)) / Math.log(mergeFactor)));

/**
 * The neighbouring segments to merge next, if any: enough of the smallest possible tier with nothing larger
 * between them (so that each byte is rewritten about once per tier), or one with many dead objects.
 */
export function planMerge(segments: readonly Segment[]): readonly Segment[] {
  const tiers = segments.map(tier);
  for (const limit of [...new Set(tiers)].sort((a, b) => a - b)) {
    let from = 0;
    let peers = 0;
    for (let at = 0; at <= segments.length; at++) {
      if (at < segments.length && (tiers[at] as number) <= limit) {
        if (tiers[at] === limit) peers++;
        continue;
      }
      if (peers >= (limit === 0 ? smallestMerged : mergeFactor))
        return segments.slice(Math.max(from, at - maxMerged), at);
      from = at + 1;
      peers = 0;
    }
  }
  const worn = segments.find(({ docs, dead }) => dead >= docs || (dead >= 64 && dead > docs * mostlyDead));
  return worn === undefined ? [] : [worn];
}

/** Min rows of a deleted segment, some 4 KiB each, before a compaction. */
const worthCompacting = 256;
/** Max bytes of new segments in LevelDB's log. Reopening takes some 5 ms a MiB to read and file them. */
const worthSettling = 2 * 1024 * 1024;
/** The same when the index is closed, and no caller waits. */
const worthSettlingAtEnd = 128 * 1024;
const noKeys = { gte: Uint8Array.of(255), lt: Uint8Array.of(255, 0) };

/** The parts of an index that background work needs. */
export interface MaintainedIndex {
  readonly database: PostingDatabase;
  readonly content: SegmentContent;
  readonly view: () => IndexView;
  /** Replace the current moment and write it, while no other writer does. */
  readonly update: (change: (current: IndexView) => SegmentedMoment) => Promise<void>;
  /** Resolves when every search that runs now has ended. */
  readonly settled: () => Promise<void>;
}

/**
 * Keeps the index small in the background: merges segments, drops dead objects, and deletes unused keys. A
 * merge writes a segment that nothing refers to, then one record makes it part of the index.
 */
export class SegmentUpkeep {
  readonly #index: MaintainedIndex;
  #running: Promise<void> | undefined;
  #again = false;
  #begun = false;
  /** Bytes of segments since LevelDB's log was emptied. */
  #logged = 0;
  #stopped = false;
  #abort = new AbortController();

  constructor(index: MaintainedIndex) {
    this.#index = index;
  }

  /** There may be work: a segment of `written` bytes was added. */
  wake(written = 0): void {
    this.#logged += written;
    if (this.#stopped) return;
    this.#begun = true;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Start the work left from before the index was opened, unless it has started. */
  begin(): void {
    if (!this.#begun) this.wake();
  }

  async settled(): Promise<void> {
    this.begin();
    while (this.#running !== undefined) await this.#running;
  }

  /** Stop work at its next step and start none. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#abort.abort();
    await this.settled();
  }

  /** Run a task while no background work runs. */
  async pausing<Result>(task: () => Promise<Result>): Promise<Result> {
    await this.stop();
    try {
      return await task();
    } finally {
      this.#stopped = false;
      this.#abort = new AbortController();
      this.wake();
    }
  }

  /** Leave little to read when the index is reopened. Called when there are no more writers. */
  async settleAtEnd(): Promise<void> {
    try {
      await this.#settleLog(worthSettlingAtEnd);
    } catch (error) {
      maintenanceFailed.publish({ error });
    }
  }

  /** After large writes: data that is only in LevelDB's log is read again whole at the next opening. */
  async #settleLog(min = worthSettling): Promise<void> {
    if (this.#logged < min) return;
    this.#logged = 0;
    // There are no such keys. The only effect is to write the log's entries into a sorted file.
    await this.#index.database.compact(noKeys);
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (this.#again) {
      this.#again = false;
      try {
        await this.#pass(signal);
      } catch (error) {
        if (!signal.aborted) maintenanceFailed.publish({ error });
      }
    }
    // In the same step as the last read of #again, so that a wake from now on starts another run.
    this.#running = undefined;
  }

  async #pass(signal: AbortSignal): Promise<void> {
    await this.#settleLog();
    await this.#sweep(signal);
    for (;;) {
      const segments = planMerge(this.#index.view().moment.segments);
      if (segments.length === 0 || signal.aborted) break;
      await this.#merge(segments, signal);
      await this.#sweep(signal);
    }
  }

  async #merge(segments: readonly Segment[], signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const { from } = segments[0] as Segment;
    const { to } = segments[segments.length - 1] as Segment;
    let id = 0;
    await this.#index.update(({ moment }) => {
      id = moment.nextSegment;
      return { ...moment, nextSegment: id + 1, garbage: [...moment.garbage, id] };
    });
    const { columns, moment: before } = this.#index.view();
    const docs = columns.countAlive(from, to);
    const languages = presentLanguages(before);
    const merge = { segments, id, columns, languages, signal };
    const bytes = docs === 0 ? 0 : await this.#index.content.merge(merge);
    const replaced = new Set(segments.map((segment) => segment.id));
    await this.#index.update(({ moment, columns: current }) => {
      const dead = docs - current.countAlive(from, to);
      const merged = docs === 0 ? [] : [{ id, from, to, docs, dead, bytes }];
      const others = moment.segments.filter((segment) => !replaced.has(segment.id));
      const garbage = moment.garbage.filter((other) => other !== id || docs === 0);
      return {
        ...moment,
        segments: [...others, ...merged].sort((x, y) => x.from - y.from),
        garbage: [...garbage, ...replaced],
      };
    });
    this.#logged += bytes;
    await this.#settleLog();
    segmentsMerged.publish({ segments: segments.length, bytes, ms: performance.now() - started });
  }

  /** Delete the keys of segments that no search can still be reading. */
  async #sweep(signal: AbortSignal): Promise<void> {
    const { garbage } = this.#index.view().moment;
    if (garbage.length === 0) return;
    await this.#index.settled();
    const { database, content } = this.#index;
    for (const id of garbage) {
      const range = content.range(id);
      // LevelDB may never free the space by itself, so compaction is requested where it is worth the
      // rewriting.
      if ((await deleteRange(database, range, signal)) >= worthCompacting) await database.compact(range);
    }
    const swept = new Set(garbage);
    await this.#index.update(({ moment }) => ({
      ...moment,
      garbage: moment.garbage.filter((id) => !swept.has(id)),
    }));
  }
}
