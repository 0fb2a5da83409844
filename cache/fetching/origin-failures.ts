import { type Clock, isGarnerError } from '../../kernel/index.ts';
import { originFailed } from '../events.ts';
import { isOfUpstream } from '../requests/index.ts';

/** What fails on is told of this often. */
const againMs = 60_000;

/** Lines in that time, whatever hosts strangers ask a proxy for. */
const maxLines = 30;

/** Origins that are remembered; the one that was told of first is forgotten first. */
const maxOrigins = 1000;

interface Trouble {
  reportedMs: number;
  untold: number;
}

/** Tells of origins that fail: of each at once, and then of all that failed since, once a minute at most. */
export class OriginFailures {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();
  #windowMs = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What was asked of the origin of this URL ended so. What is no fault of a server is not told. */
  note(url: string, error: unknown): void {
    if (!isGarnerError(error) || !isOfUpstream(error)) return;
    const origin = /^[a-z]+:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
    const nowMs = this.#clock.now();
    const known = this.#troubles.get(origin);
    const trouble = known ?? { reportedMs: Number.NEGATIVE_INFINITY, untold: 0 };
    trouble.untold += 1;
    if (known === undefined) this.#remember(origin, trouble);
    if (!isOver(trouble.reportedMs, nowMs) || !this.#takeLine(nowMs)) return;
    const times = trouble.untold;
    trouble.reportedMs = nowMs;
    trouble.untold = 0;
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

/** A clock that was set back silences nobody. */
const isOver = (thenMs: number, nowMs: number) => nowMs < thenMs || nowMs - thenMs >= againMs;
