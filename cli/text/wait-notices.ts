import { requestRetried, requestWaits } from '../../fetch/events.ts';
import { loadWaits } from '../../gatherer/events.ts';
import type { Clock } from '../../kernel/index.ts';
import { terminalSafe } from './output.ts';

/** Shorter waits are not reported. */
const shownMs = 2_000;

/** The minimum time between two lines about waits, and between two lines about the same wait. */
const lineMs = 5_000;
const sameLineMs = 60_000;

/** A wait that is long enough to be reported. */
interface Wait {
  readonly ms: number;
  /** The text after `waiting 30 s`, safe for a terminal. */
  readonly why: string;
}

/** Call `take` for every long wait, for a server or the load budget. The returned function stops this. */
function onWait(take: (wait: Wait) => void): () => void {
  const long = (ms: number, why: string) => {
    if (ms >= shownMs) take({ ms, why: terminalSafe(why) });
  };
  const stops = [
    requestWaits.subscribe(({ host, ms, held }) =>
      long(ms, held ? `for ${host}, as its Retry-After demands` : `between two requests to ${host}`),
    ),
    requestRetried.subscribe(({ url, delayMs, why }) => long(delayMs, `to retry ${url} (${why})`)),
    loadWaits.subscribe(({ setting, ms }) => long(ms, `for ${setting}`)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Keeps the wait that ends last of those that are running. Dispose of it after use. */
export class WaitWatch implements Disposable {
  readonly #clock: Clock;
  readonly #stop: () => void;
  #longest: (Wait & { readonly until: number }) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#stop = onWait((wait) => {
      const until = clock.now() + wait.ms;
      if (this.#longest === undefined || until > this.#longest.until) this.#longest = { ...wait, until };
    });
  }

  /** ` · waiting 30 s for ...`, or ''. With `counting` the seconds are the time left, else the whole wait. */
  words(counting: boolean): string {
    const now = this.#clock.now();
    if (this.#longest !== undefined && this.#longest.until <= now) this.#longest = undefined;
    if (this.#longest === undefined) return '';
    const { ms, until, why } = this.#longest;
    return ` · waiting ${Math.ceil((counting ? until - now : ms) / 1000)} s ${why}`;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Report long waits as they begin, at most one in five seconds. The returned function stops the reports. */
export function reportWaits(clock: Clock, report: (sentence: string, wait: Wait) => void): () => void {
  let last = { at: Number.NEGATIVE_INFINITY, why: '' };
  return onWait((wait) => {
    const since = clock.now() - last.at;
    if (since >= 0 && since < (wait.why === last.why ? sameLineMs : lineMs)) return;
    last = { at: clock.now(), why: wait.why };
    report(`waiting ${Math.ceil(wait.ms / 1000)} s ${wait.why}`, wait);
  });
}
