import { yieldToEventLoop } from '../../../kernel/index.ts';
import { largestAdmitted } from '../../eviction/index.ts';
import type { DiskIndex } from '../disk-index/disk-index.ts';
import type { EvictionSnapshot } from '../disk-index/eviction-snapshot.ts';
import type { Journal } from '../disk-index/journal.ts';
import type { SegmentLog } from '../disk-log/segment-log.ts';
import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { DiskCondition } from '../model/disk-condition.ts';

/** Entries may take this part of the room for files; the rest lets compaction find segments with much dead data. */
const livingPart = 0.9;
/** Compacting a fuller segment gains too little: entries are evicted first. */
const maxFillToClean = 0.95;

/** Evictions between yields to the event loop. */
const slice = 1000;

export interface RoomOptions {
  readonly condition: DiskCondition;
  readonly files: StoreFiles;
  readonly journal: Journal;
  readonly index: DiskIndex;
  readonly log: SegmentLog;
  readonly snapshot: EvictionSnapshot;
  /** Evict one entry; false when there is none. */
  readonly evict: () => boolean;
  /** Release one file that is held for readers of a removed entry; false when there is none. */
  readonly endLease: () => boolean;
  /** Remove a segment; its living records are copied elsewhere, or removed when the disk is full. */
  readonly clean: (segment: StoreFile) => Promise<void>;
}

/** Keeps the files of a store within their budget: evicts entries, and compacts segments with few living records. */
export class SpaceReclaimer {
  readonly #options: RoomOptions;
  #making: Promise<void> | undefined;
  /** Bytes that were granted and are not placed yet. */
  #granted = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** The max size of a content. */
  get largest(): number {
    return largestAdmitted(Math.max(0, this.#forFiles));
  }

  /** Bytes of the folder, except the few of the active purges. */
  get usedBytes(): number {
    const { files, journal, snapshot } = this.#options;
    return files.usedBytes + journal.bytes + snapshot.bytes;
  }

  /** Whether `bytes` more may be placed now. One segment is always left for compaction. */
  fits(bytes: number): boolean {
    return this.#options.files.usedBytes + this.#granted + bytes <= this.#forFiles;
  }

  /** Make room for `bytes`; false when that is impossible. `use` must be called after they are placed. */
  async make(bytes: number): Promise<boolean> {
    for (let tries = 0; tries < 16; tries++) {
      if (this.fits(bytes)) {
        this.#granted += bytes;
        return true;
      }
      if (bytes > this.#forFiles * livingPart) return false;
      this.#making ??= this.#make(bytes).finally(() => {
        this.#making = undefined;
      });
      await this.#making;
    }
    return false;
  }

  /** Bytes that `make` granted are placed now. */
  use(bytes: number): void {
    this.#granted -= bytes;
  }

  /** Shrink to the room that the disk has, which may be less than before. */
  async shrink(): Promise<void> {
    if (!this.fits(0) && (await this.make(0))) this.use(0);
  }

  get #forFiles(): number {
    const { condition, index, journal, log, snapshot } = this.#options;
    const beside = snapshot.bytes + snapshot.spareBytes(index.table.size);
    return condition.usable - journal.bytes - journal.spareBytes - beside - log.segmentBytes;
  }

  async #make(bytes: number): Promise<void> {
    const { files, log } = this.#options;
    // Every step evicts an entry or removes a segment, so this ends; the limit is for unforeseen cases.
    for (let steps = 0; steps < 10_000; steps++) {
      await files.removed();
      if (this.fits(bytes)) return;
      if (this.#options.endLease()) continue;
      await this.#evictUntil(() => files.livingBytes + bytes <= this.#forFiles * livingPart);
      await files.removed();
      if (this.fits(bytes)) return;
      // A segment with unwritten records cannot be compacted.
      await log.written().catch(() => undefined);
      const segment = this.#emptiest();
      if (segment !== undefined && segment.living <= segment.bytes * maxFillToClean) {
        if (segment === log.current) log.roll();
        await this.#options.clean(segment);
        continue;
      }
      const enough = files.livingBytes - Math.max(bytes, log.segmentBytes / 4);
      if (!(await this.#evictUntil(() => files.livingBytes <= enough))) return;
    }
  }

  /** Evict entries until it is enough, or none is left; returns whether any was evicted. */
  async #evictUntil(isEnough: () => boolean): Promise<boolean> {
    let left = 0;
    while (!isEnough() && this.#options.evict()) if (++left % slice === 0) await yieldToEventLoop();
    return left > 0;
  }

  #emptiest(): StoreFile | undefined {
    let emptiest: StoreFile | undefined;
    for (const file of this.#options.files.segments) {
      if (file.holds > 0 || file.doomed || file.pins > 0 || file.bytes === 0) continue;
      // The current segment is compacted only when there is no other.
      const rank = (one: StoreFile) => one.living / one.bytes + (one === this.#options.log.current ? 10 : 0);
      if (emptiest === undefined || rank(file) < rank(emptiest)) emptiest = file;
    }
    return emptiest;
  }
}
