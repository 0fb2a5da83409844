import type { Clock } from '../../kernel/index.ts';
import { answerBroken, requestAnswered } from '../events.ts';
import type { CacheAnswer, CacheRequest, Decision } from '../requests/index.ts';
import { type Child, ChildCaches } from './child-caches.ts';
import { isFromStore } from './counters.ts';

/** Upper bounds of the latency buckets, in milliseconds; a last bucket holds longer times. */
export const latencyBoundsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

const minuteMs = 60_000;
const maxMinutes = 120;

export interface TalliedMinute {
  /** Its start, in milliseconds since 1970. */
  readonly atMs: number;
  readonly requests: number;
  readonly fromHere: number;
}

/** Latency histogram: answers in each bucket of `latencyBoundsMs`, and in a last one for longer times. */
export interface Latency {
  readonly counts: readonly number[];
  readonly sumMs: number;
}

/** Statistics of answers since the cache was started. */
export interface Tallied {
  readonly sinceMs: number;
  /** Requests that ended in an error of this cache, by its code, including those whose answer had begun. */
  readonly errors: Readonly<Record<string, number>>;
  /** Time until the head of an answer; of answers from the store, and of others. */
  readonly latency: { readonly fromHere: Latency; readonly others: Latency };
  /** Oldest first; minutes without a request are left out. */
  readonly minutes: readonly TalliedMinute[];
  /** The latest requester first. */
  readonly children: readonly Child[];
}

/** The bucket of a time; one past the last bound for longer times. */
export function latencySlot(ms: number): number {
  let slot = 0;
  while (slot < latencyBoundsMs.length && ms > (latencyBoundsMs[slot] as number)) slot++;
  return slot;
}

class LatencyCount implements Latency {
  readonly counts = new Array<number>(latencyBoundsMs.length + 1).fill(0);
  sumMs = 0;

  add(ms: number, times = 1): void {
    const slot = latencySlot(ms);
    this.counts[slot] = (this.counts[slot] ?? 0) + times;
    this.sumMs += ms * times;
  }
}

/** Counts answers, their latency and their clients: all in memory, of bounded size. */
export class RequestStatistics implements Disposable {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #sinceMs: number;
  readonly #errors = new Map<string, number>();
  readonly #latency = { fromHere: new LatencyCount(), others: new LatencyCount() };
  readonly #minutes: { -readonly [Key in keyof TalliedMinute]: TalliedMinute[Key] }[] = [];
  readonly #children = new ChildCaches();
  /** Start times of requests in flight; the events of this process may come from other caches too. */
  readonly #begun = new WeakMap<CacheRequest, number>();
  readonly #stops: readonly (() => void)[];

  /** `elapsedMs` reads a clock finer than `clock`, with any zero. */
  constructor(clock: Clock, elapsedMs: () => number) {
    this.#clock = clock;
    this.#elapsedMs = elapsedMs;
    this.#sinceMs = clock.now();
    this.#stops = [
      requestAnswered.subscribe(({ request, decision }) => this.#answered(request, decision)),
      answerBroken.subscribe(({ request, decision: { error } }) => {
        if (error !== undefined && this.#begun.has(request)) this.#failed(error.code);
      }),
    ];
  }

  /** Wrap `answer` so that each request is counted. */
  counting(
    answer: (request: CacheRequest) => Promise<CacheAnswer>,
  ): (request: CacheRequest) => Promise<CacheAnswer> {
    return async (request) => {
      this.#begun.set(request, this.#elapsedMs());
      try {
        return await answer(request);
      } catch (error) {
        // A client that disconnected got no answer, not even this error.
        if (request.signal.aborted) throw error;
        this.#minute().requests++;
        const code = (error as { readonly code?: unknown }).code;
        const name = typeof code === 'string' && code.startsWith('CACHE_') ? code : 'CACHE_INTERNAL';
        this.#failed(name);
        throw error;
      }
    };
  }

  /** A start time for `hits`. */
  elapsedMs(): number {
    return this.#elapsedMs();
  }

  /** Count hits that took another path, all of them within `ms` milliseconds. */
  hits(times: number, ms: number): void {
    this.#latency.fromHere.add(ms, times);
    const minute = this.#minute();
    minute.requests += times;
    minute.fromHere += times;
  }

  read(): Tallied {
    const latency = ({ counts, sumMs }: LatencyCount) => ({ counts: [...counts], sumMs });
    return {
      sinceMs: this.#sinceMs,
      errors: Object.fromEntries(this.#errors),
      latency: { fromHere: latency(this.#latency.fromHere), others: latency(this.#latency.others) },
      minutes: this.#minutes.map((minute) => ({ ...minute })),
      children: this.#children.read(),
    };
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  #answered(request: CacheRequest, { outcome }: Decision): void {
    const begun = this.#begun.get(request);
    // Errors are counted where they are thrown.
    if (begun === undefined || outcome === 'failed' || outcome === 'refused') return;
    const fromHere = isFromStore(outcome);
    this.#latency[fromHere ? 'fromHere' : 'others'].add(this.#elapsedMs() - begun);
    const minute = this.#minute();
    minute.requests++;
    if (fromHere) minute.fromHere++;
    this.#children.add(request, fromHere, this.#clock.now());
  }

  #failed(code: string): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
  }

  #minute() {
    const now = this.#clock.now();
    const last = this.#minutes.at(-1);
    // After the clock was set back the last minute continues.
    if (last !== undefined && now - last.atMs < minuteMs) return last;
    const minute = { atMs: now - (now % minuteMs), requests: 0, fromHere: 0 };
    this.#minutes.push(minute);
    if (this.#minutes.length > maxMinutes) this.#minutes.shift();
    return minute;
  }
}
