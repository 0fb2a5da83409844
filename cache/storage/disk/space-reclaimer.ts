import { largestAdmitted } from '../../eviction/index.ts';
import type { DiskIndex } from '../disk-index/disk-index.ts';
import type { EvictionSnapshot } from '../disk-index/eviction-snapshot.ts';
import type { Journal } from '../disk-index/journal.ts';
import type { SegmentLog } from '../disk-log/segment-log.ts';
import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import type { DiskCondition } from '../model/disk-condition.ts';
import { yieldToEventLoop } from '../model/yield-to-event-loop.ts';

/** Entries may take this part of the room for files; the rest lets cleaning find segments with much that is dead. */
const livingPart = 0.9;
/** Cleaning a segment that is fuller than this wins too little: entries leave first. */
const worthCleaning = 0.95;

/** Entries that leave before others have their turn. */
const slice = 1000;

export interface RoomOptions {
  readonly condition: DiskCondition;
  readonly files: StoreFiles;
  readonly journal: Journal;
  readonly index: DiskIndex;
  readonly log: SegmentLog;
  readonly snapshot: EvictionSnapshot;
  /** One entry leaves; false when there is none. */
  readonly evict: () => boolean;
  /** One file is no longer held for readers of an entry that has left; false when there is none. */
  readonly endLease: () => boolean;
  /** Let a segment go; what lives in it is copied elsewhere, or leaves when the disk is full. */
  readonly clean: (segment: StoreFile) => Promise<void>;
}

/** Keeps the files of a store within their budget: entries leave, and segments that hold few are emptied. */
export class SpaceReclaimer {
  readonly #options: RoomOptions;
  #making: Promise<void> | undefined;
  /** Bytes that were granted and are not placed yet. */
  #granted = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** No content may be larger than this. */
  get largest(): number {
    return largestAdmitted(Math.max(0, this.#forFiles));
  }

  /** Bytes of the folder, but for the few that say which purges are in force. */
  get usedBytes(): number {
    const { files, journal, snapshot } = this.#options;
    return files.usedBytes + journal.bytes + snapshot.bytes;
  }

  /** Whether so many bytes may be placed now. One segment is always left for cleaning. */
  fits(bytes: number): boolean {
    return this.#options.files.usedBytes + this.#granted + bytes <= this.#forFiles;
  }

  /** Room for so many bytes, made if need be; false when it cannot be had. When they are placed, `use` is to be told. */
  async make(bytes: number): Promise<boolean> {
    for (let turns = 0; turns < 16; turns++) {
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

  /** See to it that what is here fits, though the disk may have less room than before. */
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
    // Every turn lets an entry leave or a segment go, so that this ends; the bound is for what nobody thought of.
    for (let turns = 0; turns < 10_000; turns++) {
      await files.removed();
      if (this.fits(bytes)) return;
      if (this.#options.endLease()) continue;
      await this.#evictUntil(() => files.livingBytes + bytes <= this.#forFiles * livingPart);
      await files.removed();
      if (this.fits(bytes)) return;
      // A segment of which something is still to be written cannot be cleaned.
      await log.written().catch(() => undefined);
      const segment = this.#emptiest();
      if (segment !== undefined && segment.living <= segment.bytes * worthCleaning) {
        if (segment === log.current) log.roll();
        await this.#options.clean(segment);
        continue;
      }
      const enough = files.livingBytes - Math.max(bytes, log.segmentBytes / 4);
      if (!(await this.#evictUntil(() => files.livingBytes <= enough))) return;
    }
  }

  /** Let entries leave until it is enough, or none is left; whether any did. */
  async #evictUntil(isEnough: () => boolean): Promise<boolean> {
    let left = 0;
    while (!isEnough() && this.#options.evict()) if (++left % slice === 0) await yieldToEventLoop();
    return left > 0;
  }

  #emptiest(): StoreFile | undefined {
    let emptiest: StoreFile | undefined;
    for (const file of this.#options.files.segments) {
      if (file.holds > 0 || file.doomed || file.pins > 0 || file.bytes === 0) continue;
      // What is still being filled is cleaned only when nothing else is there.
      const rank = (one: StoreFile) => one.living / one.bytes + (one === this.#options.log.current ? 10 : 0);
      if (emptiest === undefined || rank(file) < rank(emptiest)) emptiest = file;
    }
    return emptiest;
  }
}
