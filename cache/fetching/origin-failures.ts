import { type Clock, isGarnerError } from '../../kernel/index.ts';
import { originFailed } from '../events.ts';
import { isOfUpstream } from '../requests/index.ts';

/** Repeated failures are reported at this interval. */
const againMs = 60_000;

/** The max reports in that time, whatever hosts clients request from a proxy. */
const maxLines = 30;

/** The max number of origins; the one recorded first is dropped first. */
const maxOrigins = 1000;

interface Trouble {
  reportedMs: number;
  unreported: number;
}

/** Reports origins that fail: the first failure at once, and later ones together, max once a minute. */
export class OriginFailures {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();
  #windowMs = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A request to the origin of this URL failed. Errors that are no fault of a server are not reported. */
  note(url: string, error: unknown): void {
    if (!isGarnerError(error) || !isOfUpstream(error)) return;
    const origin = /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
    const nowMs = this.#clock.now();
    const known = this.#troubles.get(origin);
    const trouble = known ?? { reportedMs: Number.NEGATIVE_INFINITY, unreported: 0 };
    trouble.unreported += 1;
    if (known === undefined) this.#remember(origin, trouble);
    if (!isOver(trouble.reportedMs, nowMs) || !this.#takeLine(nowMs)) return;
    const times = trouble.unreported;
    trouble.reportedMs = nowMs;
    trouble.unreported = 0;
    originFailed.publish({ origin, code: error.code, reason: error.message, times });
  }

  #remember(origin: string, trouble: Trouble): void {
    this.#troubles.set(origin, trouble);
    if (this.#troubles.size > maxOrigins) this.#troubles.delete(this.#troubles.keys().next().value as string);
  }

  #takeLine(nowMs: number): boolean {
    if (isOver(this.#windowMs, nowMs)) {
      this.#windowMs = nowMs;
      this.#lines = 0;
    }
    this.#lines += 1;
    return this.#lines <= maxLines;
  }
}

/** After the clock was set back reports go on. */
const isOver = (thenMs: number, nowMs: number) => nowMs < thenMs || nowMs - thenMs >= againMs;
