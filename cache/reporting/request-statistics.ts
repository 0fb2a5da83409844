import type { Clock } from '../../kernel/index.ts';
import { answerBroken, requestAnswered } from '../events.ts';
import type { CacheAnswer, CacheRequest, Decision } from '../requests/index.ts';
import { type Child, ChildCaches } from './child-caches.ts';
import { isFromStore } from './counters.ts';

/** Upper ends of the times that are counted, in milliseconds; what takes longer is in a last one. */
export const latencyBoundsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

const minuteMs = 60_000;
const keptMinutes = 120;

/** One minute of requests. */
export interface TalliedMinute {
  /** Its beginning, in milliseconds since 1970. */
  readonly atMs: number;
  readonly requests: number;
  readonly fromHere: number;
}

/** Times of answers: how many took at most each of `latencyBoundsMs`, and longer. */
export interface Latency {
  readonly counts: readonly number[];
  readonly sumMs: number;
}

/** When and how fast was answered since the cache was started. */
export interface Tallied {
  readonly sinceMs: number;
  /** Requests that ended in an error of this cache, by its code; also when their answer had begun. */
  readonly errors: Readonly<Record<string, number>>;
  /** Until the head of an answer was there; of answers from here, and of others. */
  readonly latency: { readonly fromHere: Latency; readonly others: Latency };
  /** Oldest first; minutes without a request are left out. */
  readonly minutes: readonly TalliedMinute[];
  /** Who asked last is first. */
  readonly children: readonly Child[];
}

/** Where of `latencyBoundsMs` a time counts: behind the last one what takes longer. */
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

/** Counts when and how fast a cache answers, and for whom: all in memory, of bounded size. */
export class RequestStatistics implements Disposable {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #sinceMs: number;
  readonly #errors = new Map<string, number>();
  readonly #latency = { fromHere: new LatencyCount(), others: new LatencyCount() };
  readonly #minutes: { -readonly [Key in keyof TalliedMinute]: TalliedMinute[Key] }[] = [];
  readonly #children = new ChildCaches();
  /** When each request that is being answered came; other caches of this process tell of others. */
  readonly #begun = new WeakMap<CacheRequest, number>();
  readonly #stops: readonly (() => void)[];

  /** `elapsedMs` reads a clock finer than `clock`, from any beginning. */
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

  /** The same answers, and each is counted. */
  counting(
    answer: (request: CacheRequest) => Promise<CacheAnswer>,
  ): (request: CacheRequest) => Promise<CacheAnswer> {
    return async (request) => {
      this.#begun.set(request, this.#elapsedMs());
      try {
        return await answer(request);
      } catch (error) {
        // Who has left got no answer, not even that.
        if (request.signal.aborted) throw error;
        this.#minute().requests++;
        const code = (error as { readonly code?: unknown }).code;
        const name = typeof code === 'string' && code.startsWith('CACHE_') ? code : 'CACHE_INTERNAL';
        this.#failed(name);
        throw error;
      }
    };
  }

  /** A time to begin with, for `hits`. */
  elapsedMs(): number {
    return this.#elapsedMs();
  }

  /** Count hits that were answered by another way, all of them within so many milliseconds. */
  hits(times: number, ms: number): void {
    this.#latency.fromHere.add(ms, times);
    const minute = this.#minute();
    minute.requests += times;
    minute.fromHere += times;
  }

  /** Everything that was counted, as it is now. */
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
    // A clock that was set back goes on in the minute that is the last.
    if (last !== undefined && now - last.atMs < minuteMs) return last;
    const minute = { atMs: now - (now % minuteMs), requests: 0, fromHere: 0 };
    this.#minutes.push(minute);
    if (this.#minutes.length > keptMinutes) this.#minutes.shift();
    return minute;
  }
}
