import { statfs } from 'node:fs/promises';
import type { Clock } from '../../../kernel/index.ts';

/**
 * The state of a store's disk: `short` when it has less room than the budget; `full` or `failing` after it
 * refused a write, for want of room or otherwise, until it has accepted one.
 */
export interface DiskReport {
  readonly state: 'well' | 'short' | 'full' | 'failing';
  /** Seconds since 1970; null when it is well. */
  readonly since: number | null;
  /** Null when it is well. */
  readonly reason: string | null;
}

/** The pause after a refusal, in milliseconds; doubled after each further one until a write succeeds. */
const firstPauseMs = 50;
const maxPauseMs = 10_000;
/** Bytes left free on the disk, but max these parts of the budget and of the store's own bytes. */
const maxSpare = 64 * 2 ** 20;
const sparePartOfBudget = 1 / 64;
const sparePartOfUsed = 1 / 16;
/** A limit from a refusal is raised about once a second, by this part of the budget. */
const raisedPart = 1 / 1024;

/** Bytes that may still be written to the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeOnDisk: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** The limits of a store's disk: its size by the free bytes, and the pause after a refusal. */
export class DiskCondition {
  readonly budget: number;
  readonly #clock: Clock;
  readonly #free: () => Promise<number>;
  /** The max bytes of the store by the free bytes on the disk. */
  #byFree = Number.POSITIVE_INFINITY;
  /** The max bytes by a refusal although the disk has room: a quota. */
  #byRefusal = Number.POSITIVE_INFINITY;
  #refusal: { readonly state: 'full' | 'failing'; readonly reason: string } | undefined;
  #state: DiskReport['state'] = 'well';
  #sinceMs = 0;
  #pauseMs = 0;
  #pausedAtMs = 0;

  constructor(options: {
    readonly budget: number;
    readonly clock: Clock;
    readonly free: () => Promise<number>;
  }) {
    this.budget = options.budget;
    this.#clock = options.clock;
    this.#free = options.free;
  }

  /** The max bytes of the store now. */
  get usable(): number {
    return Math.min(this.budget, this.#byFree, this.#byRefusal);
  }

  /** How long nothing may be written, in milliseconds; 0 when the disk may be tried. */
  get pauseMs(): number {
    const passed = this.#clock.now() - this.#pausedAtMs;
    // After the clock was set back the pause ends.
    return passed < 0 ? 0 : Math.max(0, this.#pauseMs - passed);
  }

  get report(): DiskReport {
    if (this.#state === 'well') return { state: 'well', since: null, reason: null };
    const reason = this.#refusal?.reason ?? 'the disk has less room than cache.disk';
    return { state: this.#state, since: this.#sinceMs / 1000, reason };
  }

  /** The disk refused a write while the store had `usedBytes` on it. Returns whether to report that. */
  refused(error: unknown, usedBytes: number): boolean {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    if (isFull) this.#byRefusal = Math.min(this.#byRefusal, usedBytes);
    this.#refusal = { state: isFull ? 'full' : 'failing', reason: code ?? message };
    const isChanged = this.#judge();
    // Writes in flight fail together.
    if (this.pauseMs > 0) return isChanged;
    this.#pauseMs = Math.min(maxPauseMs, Math.max(firstPauseMs, 2 * this.#pauseMs));
    this.#pausedAtMs = this.#clock.now();
    return true;
  }

  /** Everything that was to be written is on the disk. */
  took(): void {
    if (this.pauseMs > 0) return;
    this.#refusal = undefined;
    this.#pauseMs = 0;
    this.#byRefusal += this.budget * raisedPart;
    if (this.#byRefusal >= this.budget) this.#byRefusal = Number.POSITIVE_INFINITY;
    this.#judge();
  }

  /** Read the free bytes of the disk; `usedBytes` is called for the store's own bytes after that. */
  async look(usedBytes: () => number): Promise<void> {
    const free = await this.#free().catch(() => undefined);
    if (free === undefined) return;
    const used = usedBytes();
    const spare = Math.min(maxSpare, this.budget * sparePartOfBudget, used * sparePartOfUsed);
    this.#byFree = Math.max(0, used + free - spare);
    // The lack of space explains the refusal: only the free bytes limit the store, and it may grow with them.
    if (free <= spare) this.#byRefusal = Number.POSITIVE_INFINITY;
    this.#judge();
  }

  /** Update the state; returns whether it changed. */
  #judge(): boolean {
    const state = this.#refusal?.state ?? (this.usable < this.budget ? 'short' : 'well');
    if (state === this.#state) return false;
    this.#state = state;
    this.#sinceMs = this.#clock.now();
    return true;
  }
}
