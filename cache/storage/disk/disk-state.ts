import type { Clock } from '../../../kernel/index.ts';
import { cacheStoreTrouble } from '../../events.ts';
import type { EvictionPolicy } from '../../eviction/index.ts';
import type { DiskIndex } from '../disk-index/disk-index.ts';
import type { EvictionSnapshot } from '../disk-index/eviction-snapshot.ts';
import type { Journal } from '../disk-index/journal.ts';
import { type PurgeMarks, verdict } from '../disk-index/purge-marks.ts';
import { type SlotTable, word } from '../disk-index/slot-table.ts';
import type { LogTail } from '../disk-log/log-tail.ts';
import { ReadBackLeases } from '../disk-log/read-back-leases.ts';
import { cleanSegment, slotsIn } from '../disk-log/segment-compaction.ts';
import type { SegmentLog } from '../disk-log/segment-log.ts';
import type { LostRun } from '../disk-log/unwritten-runs.ts';
import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { DiskCondition } from '../model/disk-condition.ts';
import type { Entry } from '../model/entry.ts';
import type { StoredEntry } from '../model/stored-entry.ts';
import type { HotTier } from './hot-tier.ts';
import { maxMetaBytes } from './meta-record.ts';
import { SpaceReclaimer } from './space-reclaimer.ts';

export interface DiskStateOptions {
  readonly folder: string;
  readonly condition: DiskCondition;
  readonly snapshot: EvictionSnapshot;
  readonly largestEntryBytes: number;
  readonly index: DiskIndex;
  readonly files: StoreFiles;
  readonly journal: Journal;
  readonly log: SegmentLog;
  readonly tail: LogTail;
  readonly hot: HotTier;
  readonly marks: PurgeMarks;
  readonly policy: EvictionPolicy;
  readonly clock: Clock;
  readonly lastSerial: number;
}

const maxInSegment = 256 * 1024;

/** The shared state of a store on disk: the index, and the steps that follow when entries leave it. */
export class DiskState {
  readonly folder: string;
  readonly largestEntryBytes: number;
  readonly index: DiskIndex;
  readonly table: SlotTable;
  readonly files: StoreFiles;
  readonly log: SegmentLog;
  readonly tail: LogTail;
  readonly journal: Journal;
  readonly hot: HotTier;
  readonly marks: PurgeMarks;
  readonly policy: EvictionPolicy;
  readonly room: SpaceReclaimer;
  readonly leases: ReadBackLeases;
  readonly clock: Clock;
  readonly condition: DiskCondition;
  readonly #snapshot: EvictionSnapshot;
  #touches = 0;
  #fitting: Promise<void> | undefined;
  #serial: number;
  #lastSync: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;
  /** Bytes that writers hold in memory. */
  buffered = 0;
  evicted = 0;
  damaged = 0;
  refused = 0;
  isClosed = false;

  constructor(options: DiskStateOptions) {
    const { folder, largestEntryBytes, index, files, journal, log, tail, hot, marks, policy } = options;
    this.folder = folder;
    this.largestEntryBytes = largestEntryBytes;
    this.index = index;
    this.table = index.table;
    this.files = files;
    this.journal = journal;
    this.log = log;
    this.tail = tail;
    this.hot = hot;
    this.marks = marks;
    this.policy = policy;
    this.clock = options.clock;
    this.condition = options.condition;
    this.#snapshot = options.snapshot;
    this.#serial = options.lastSerial;
    this.leases = new ReadBackLeases(files);
    log.onLost = (lost) => this.#forgetLost(lost);
    this.room = new SpaceReclaimer({
      ...{ condition: options.condition, files, journal, index, log, snapshot: options.snapshot },
      evict: () => this.#evict(),
      endLease: () => this.leases.endOne(),
      clean: (segment) => this.#clean(segment),
    });
  }

  /** Contents up to this size go into segments, larger ones into their own files. */
  get largestInSegment(): number {
    return Math.min(maxInSegment, this.log.segmentBytes / 4);
  }

  get largestMetaBytes(): number {
    return Math.min(maxMetaBytes, this.log.segmentBytes / 4);
  }

  nextSerial(): number {
    return ++this.#serial;
  }

  isThere(entry: Entry): entry is StoredEntry {
    const { slot } = entry as StoredEntry;
    return this.table.isUsed(slot) && this.table.serial(slot) === entry.id;
  }

  /** An entry was used. */
  touch(slot: number, times: number): void {
    this.#touches += times;
    this.table.hit(slot, times);
    this.policy.touched(slot);
  }

  /** Write the order of recent use to disk, unless nothing was used since. */
  async writeSnapshot(signal?: AbortSignal): Promise<void> {
    const { policy, index, journal } = this;
    const changes = this.#touches + this.#serial;
    await this.#snapshot.write({ policy, index, header: journal.header }, changes, signal);
  }

  /** Remove an entry for another reason than to make room. */
  drop(slot: number): void {
    this.policy.removed(slot);
    this.hot.forgetContent(slot);
    this.index.drop(slot);
  }

  /** Remove an entry whose bytes on disk are not as written. */
  lose(slot: number): void {
    this.damaged++;
    this.drop(slot);
  }

  /** Apply the active purges to an entry; false when that removed it. */
  applyMarks(slot: number, entry: Pick<Entry, 'key' | 'tags'>): boolean {
    const concerning = this.marks.concerning(this.table, slot);
    if (concerning.length > 0) {
      const effect = verdict(concerning, entry);
      if (effect === 'forget') {
        this.drop(slot);
        return false;
      }
      this.table.set(slot, word.mark, this.marks.latest);
      this.index.affect(slot, effect);
    }
    return true;
  }

  purgeState(slot: number): Pick<Entry, 'invalidated' | 'staleSinceMs'> {
    const staleSinceMs = this.table.staleSinceMs(slot);
    const invalidated = this.table.isInvalidated(slot);
    return staleSinceMs === undefined ? { invalidated } : { invalidated, staleSinceMs };
  }

  /** Whether a stored entry still has the state of its object. */
  isUnchanged({ slot, invalidated, staleSinceMs }: StoredEntry): boolean {
    return this.table.isInvalidated(slot) === invalidated && this.table.staleSinceMs(slot) === staleSinceMs;
  }

  /** The disk refused something: report it, pause writes for a moment and shrink to what the disk has. */
  trouble(error: unknown): void {
    const isNew = this.condition.refused(error, this.room.usedBytes);
    const reason = this.condition.report.reason ?? '';
    if (isNew) cacheStoreTrouble.publish({ path: this.folder, reason });
    this.fitDisk().catch(() => undefined);
  }

  /** Shrink to the room that the disk has now. */
  fitDisk(): Promise<void> {
    this.#fitting ??= this.#fitNow().finally(() => {
      this.#fitting = undefined;
    });
    return this.#fitting;
  }

  async #fitNow(): Promise<void> {
    await this.condition.look(() => this.room.usedBytes);
    if (!this.isClosed) await this.room.shrink();
  }

  /** Resolves when changes and the bytes they refer to are on disk. A call during a sync shares the next. */
  sync(): Promise<void> {
    this.#nextSync ??= this.#lastSync.then(() => {
      this.#nextSync = undefined;
      const now = this.#syncNow();
      this.#lastSync = now.catch(() => undefined);
      return now;
    });
    return this.#nextSync;
  }

  async #syncNow(): Promise<void> {
    await this.log.written();
    await this.files.sync();
    await this.journal.flush();
    this.condition.took();
  }

  /** The disk refused bytes that were to be written later: their entries are removed. */
  async #forgetLost({ file, offset, bytes, error }: LostRun): Promise<void> {
    this.trouble(error);
    for (const slot of await slotsIn(this, file, { from: offset, end: offset + bytes })) {
      this.refused++;
      this.drop(slot);
    }
  }

  async #clean(segment: StoreFile): Promise<void> {
    const { index, files, log } = this;
    const store = { index, files, log, flush: () => this.sync(), lose: (slot: number) => this.lose(slot) };
    try {
      await cleanSegment(store, segment);
    } catch (error) {
      this.trouble(error);
      // If nothing can be copied, only removing entries makes room.
      for (const slot of await slotsIn(store, segment)) {
        this.evicted++;
        this.drop(slot);
      }
      files.doom(segment);
    }
  }

  #evict(): boolean {
    const slot = this.policy.evict();
    if (slot === -1) return false;
    this.evicted++;
    this.hot.forgetContent(slot);
    this.index.drop(slot);
    return true;
  }
}
