import assert from 'node:assert/strict';

/** A round that is slow may have collected the garbage of others, or compiled what the next one reuses. */
const rounds = 3;

/** The CPU time of this process for a task, in milliseconds: other processes hardly change it. */
async function cpuMsOf(task: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Assert that a task takes less CPU time than `maxMs` milliseconds in one of three rounds; none follows the first that
 * does. It never reads the clock of the machine.
 */
export async function assertCpuMs(maxMs: number, task: () => unknown, what = 'the task'): Promise<void> {
  let min = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && min >= maxMs; round++) min = Math.min(min, await cpuMsOf(task));
  assert.ok(min < maxMs, `${what} took ${Math.round(min)} ms of CPU time; the limit is ${maxMs} ms`);
}
