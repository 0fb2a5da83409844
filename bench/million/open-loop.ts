import type { Random } from '../../kernel/index.ts';

/** Times at which things arrive by chance, in milliseconds from the start: on average `rate` in a second. */
export function arrivalTimes(rate: number, seconds: number, random: Random): number[] {
  const times: number[] = [];
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 1000) / rate;
    if (at >= seconds * 1000) return times;
    times.push(at);
  }
}

/** What tells the time, in milliseconds, and waits. */
export interface Stopwatch {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets others go on, and takes no time of its own. */
  turn(): Promise<void>;
}

/** More that have begun and not ended are no load any more but a collapse. */
const maxInFlight = 5000;

/**
 * Begin each task at its time, whether or not earlier ones have ended. Resolves to the milliseconds from the time at
 * which each should have begun to its end, so that waiting counts. Throws what a task throws, and an Error when 5,000
 * are under way.
 */
export async function openLoop(
  times: readonly number[],
  task: (index: number) => Promise<unknown>,
  watch: Stopwatch,
): Promise<number[]> {
  const started = watch.now();
  const latencies: number[] = new Array(times.length);
  let failed: { readonly error: unknown } | undefined;
  let underWay = 0;
  const running: Promise<void>[] = [];
  const one = async (index: number, due: number) => {
    underWay++;
    try {
      await task(index);
      latencies[index] = watch.now() - due;
    } catch (error) {
      failed ??= { error };
    } finally {
      underWay--;
    }
  };
  for (const [index, time] of times.entries()) {
    const due = started + time;
    const early = due - watch.now();
    await (early > 0 ? watch.sleep(early) : watch.turn());
    if (failed !== undefined) break;
    if (underWay >= maxInFlight) throw new Error(`${underWay} tasks are under way: the load is not borne`);
    running.push(one(index, due));
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed.error;
  return latencies;
}
