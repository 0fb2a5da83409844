import type { LaneCounts } from '../doors/index.ts';
import { latencyBoundsMs, latencySlot } from '../reporting/index.ts';

/** Adds up what a worker's lane answered, so that few numbers tell it. */
export class AnswerTimes implements LaneCounts {
  readonly elapsedMs: () => number;
  /** One for each of `latencyBoundsMs`, and one for what takes longer. */
  readonly #slots = Array.from({ length: latencyBoundsMs.length + 1 }, () => ({ times: 0, sumMs: 0 }));

  /** `elapsedMs` reads a clock finer than most, from any beginning. */
  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs;
  }

  hits(times: number, ms: number): void {
    const slot = this.#slots[latencySlot(ms)] as { times: number; sumMs: number };
    slot.times += times;
    slot.sumMs += ms * times;
  }

  /** How many were answered since the last time, and within what on average; those of one bound together. */
  taken(): (readonly [times: number, ms: number])[] {
    const taken = this.#slots.flatMap(({ times, sumMs }) =>
      times === 0 ? [] : [[times, sumMs / times] as const],
    );
    for (const slot of this.#slots) Object.assign(slot, { times: 0, sumMs: 0 });
    return taken;
  }
}
