import type { LaneCounts } from '../doors/index.ts';
import { latencyBoundsMs, latencySlot } from '../reporting/index.ts';

/** Sums the latencies of a worker's lane, so that a report has few numbers. */
export class AnswerTimes implements LaneCounts {
  readonly elapsedMs: () => number;
  /** One for each of `latencyBoundsMs`, and one for longer times. */
  readonly #slots = Array.from({ length: latencyBoundsMs.length + 1 }, () => ({ times: 0, sumMs: 0 }));

  /** `elapsedMs` reads a fine clock, with any zero. */
  constructor(elapsedMs: () => number) {
    this.elapsedMs = elapsedMs;
  }

  hits(times: number, ms: number): void {
    const slot = this.#slots[latencySlot(ms)] as { times: number; sumMs: number };
    slot.times += times;
    slot.sumMs += ms * times;
  }

  /** Answers since the last call, by bucket: their number and mean milliseconds. */
  taken(): (readonly [times: number, ms: number])[] {
    const taken = this.#slots.flatMap(({ times, sumMs }) =>
      times === 0 ? [] : [[times, sumMs / times] as const],
    );
    for (const slot of this.#slots) Object.assign(slot, { times: 0, sumMs: 0 });
    return taken;
  }
}
