import { statfs } from 'node:fs/promises';
import type { Clock } from '../../../kernel/index.ts';

/**
 * How the disk of a store stands: `short` when it has less room than the budget, `full` or `failing` since it refused a
 * write, for want of room or otherwise, until it has taken one again.
 */
export interface DiskReport {
  readonly state: 'well' | 'short' | 'full' | 'failing';
  /** Seconds since 1970; null when it is well. */
  readonly since: number | null;
  /** Null when it is well. */
  readonly reason: string | null;
}

/** After a refusal nothing is written for so long; twice as long after each that follows before one was taken. */
const firstPauseMs = 50;
const maxPauseMs = 10_000;
/** What is left free on the disk: so much, but not more than these parts of the budget and of what the store has. */
const maxSpare = 64 * 2 ** 20;
const sparePartOfBudget = 1 / 64;
const sparePartOfUsed = 1 / 16;
/** What a limit that nothing tells of is raised by, about once a second, as a part of the budget. */
const raisedPart = 1 / 1024;

/** Bytes that may still be written to the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeOnDisk: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** What the disk of a store takes: how much by what is free on it, and when again after it refused something. */
export class DiskCondition {
  readonly budget: number;
  readonly #clock: Clock;
  readonly #free: () => Promise<number>;
  /** What the store may have by what is free on the disk. */
  #byFree = Number.POSITIVE_INFINITY;
  /** What it may have by what was refused though the disk has room: a quota. */
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

  /** Bytes that the store may have now. */
  get usable(): number {
    return Math.min(this.budget, this.#byFree, this.#byRefusal);
  }

  /** How long nothing is to be written any more, in milliseconds; 0 when the disk may be tried. */
  get pauseMs(): number {
    const passed = this.#clock.now() - this.#pausedAtMs;
    // A clock that was set back ends the pause.
    return passed < 0 ? 0 : Math.max(0, this.#pauseMs - passed);
  }

  get report(): DiskReport {
    if (this.#state === 'well') return { state: 'well', since: null, reason: null };
    const reason = this.#refusal?.reason ?? 'the disk has less room than cache.disk';
    return { state: this.#state, since: this.#sinceMs / 1000, reason };
  }

  /** The disk refused a write while the store had `usedBytes` on it. True when that has to be told. */
  refused(error: unknown, usedBytes: number): boolean {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    if (isFull) this.#byRefusal = Math.min(this.#byRefusal, usedBytes);
    this.#refusal = { state: isFull ? 'full' : 'failing', reason: code ?? message };
    const isNews = this.#judge();
    // Many that were under way fail together.
    if (this.pauseMs > 0) return isNews;
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

  /** Look how much is free; `usedBytes` is asked what the store has on the disk when that is known. */
  async look(usedBytes: () => number): Promise<void> {
    const free = await this.#free().catch(() => undefined);
    if (free === undefined) return;
    const used = usedBytes();
    const spare = Math.min(maxSpare, this.budget * sparePartOfBudget, used * sparePartOfUsed);
    this.#byFree = Math.max(0, used + free - spare);
    // That explains what was refused: it alone counts, and rises again as soon as there is more.
    if (free <= spare) this.#byRefusal = Number.POSITIVE_INFINITY;
    this.#judge();
  }

  /** Whether it stands otherwise than before. */
  #judge(): boolean {
    const state = this.#refusal?.state ?? (this.usable < this.budget ? 'short' : 'well');
    if (state === this.#state) return false;
    this.#state = state;
    this.#sinceMs = this.#clock.now();
    return true;
  }
}
