import type { Random } from '../../kernel/index.ts';

/** Random arrival times in milliseconds from the start: on average `rate` a second. */
export function arrivalTimes(rate: number, seconds: number, random: Random): number[] {
  const times: number[] = [];
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 1000) / rate;
    if (at >= seconds * 1000) return times;
    times.push(at);
  }
}

/** A clock in milliseconds that can wait. */
export interface Stopwatch {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Yields to other work, without a wait of its own. */
  turn(): Promise<void>;
}

/** Max tasks in flight: with more, the system cannot keep up. */
const maxInFlight = 5000;

/**
 * Start each task at its due time, even when earlier ones have not ended. Resolves to the milliseconds from the due
 * time of each task to its end, so that waiting counts. Throws the error of a task, and an Error when 5,000 tasks are
 * in flight.
 */
export async function openLoop(
  times: readonly number[],
  task: (index: number) => Promise<unknown>,
  watch: Stopwatch,
): Promise<number[]> {
  const started = watch.now();
  const latencies: number[] = new Array(times.length);
  let failed: { readonly error: unknown } | undefined;
  let inFlight = 0;
  const running: Promise<void>[] = [];
  const one = async (index: number, due: number) => {
    inFlight++;
    try {
      await task(index);
      latencies[index] = watch.now() - due;
    } catch (error) {
      failed ??= { error };
    } finally {
      inFlight--;
    }
  };
  for (const [index, time] of times.entries()) {
    const due = started + time;
    const early = due - watch.now();
    await (early > 0 ? watch.sleep(early) : watch.turn());
    if (failed !== undefined) break;
    if (inFlight >= maxInFlight)
      throw new Error(`${inFlight} tasks are in flight: the system cannot keep up with the load`);
    running.push(one(index, due));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed.error;
  return latencies;
}
