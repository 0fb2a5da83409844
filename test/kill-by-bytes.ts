import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Random, seededRandom, systemRandom } from '../kernel/index.ts';

/** How a test of kills was asked to run. */
export interface KillPlan {
  readonly seed: number;
  readonly kills: number;
  readonly random: Random;
}

/** GARNER_TEST_SEED and GARNER_KILLS, or a random seed and `kills`. */
export function killPlan(kills: number): KillPlan {
  const { GARNER_TEST_SEED, GARNER_KILLS } = process.env;
  const seed = Number(GARNER_TEST_SEED || Math.floor(systemRandom.next() * 2 ** 32)) >>> 0;
  return { seed, kills: Number(GARNER_KILLS || kills), random: seededRandom(seed) };
}

/** A number from `least` to `most` whose logarithm is even: small ones are as likely as large ones. */
export function logarithmic(random: Random, min: number, max: number): number {
  return Math.round(min * (max / min) ** random.next());
}

/** Bytes given to write calls, and the number of those calls. */
interface Written {
  readonly bytes: number;
  readonly calls: number;
}

/** Reads what a process has written; undefined once it is dead. */
class WrittenCounter implements Disposable {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(512);

  constructor(pid: number | 'self') {
    this.#file = openSync(`/proc/${pid}/io`, 'r');
  }

  read(): Written | undefined {
    try {
      const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
      const found = /wchar: (\d+)[\s\S]*syscw: (\d+)/.exec(this.#buffer.toString('latin1', 0, length));
      return found === null ? undefined : { bytes: Number(found[1]), calls: Number(found[2]) };
    } catch {
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** Why processes cannot be watched here, or undefined. */
export function unwatchable(): string | undefined {
  try {
    using own = new WrittenCounter('self');
    if (own.read() !== undefined) return undefined;
  } catch {
    // Said below.
  }
  return 'SKIPPED: written bytes of a process are read from /proc/PID/io, which only Linux has';
}

/** Resolves with how a process ended. */
export function ended(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(String(child.signalCode ?? child.exitCode));
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(String(signal ?? code))));
}

const readsPerTurn = 32;

/**
 * Where a process is killed: once it has written `bytes`. `outside`: seen from here, and `count` write calls later, a
 * small one counting as a large one; this may be in the middle of anything. Otherwise by itself, right before or right
 * after a batch of a database, or `count` tenths of a millisecond into it; bytes are those of batches then.
 */
export interface KillPoint {
  readonly bytes: number;
  readonly how: 'outside' | 'before' | 'during' | 'after';
  readonly count: number;
}

/** A random point; its logarithm is even, so that start-up and a long life are as likely. */
export function killPoint(random: Random, maxBytes: number): KillPoint {
  const bytes = logarithmic(random, 500, maxBytes);
  const how = (['outside', 'outside', 'outside', 'before', 'during', 'after'] as const)[
    Math.floor(random.next() * 6)
  ];
  return { bytes, how: how ?? 'outside', count: Math.floor(random.next() * 8) };
}

/** A point as it is printed. */
export function pointText({ bytes, how, count }: KillPoint): string {
  return how === 'outside' ? `${bytes}+${count}` : `${how} ${bytes}${how === 'during' ? `+${count}` : ''}`;
}

/** What a process needs to be killed at a point: arguments of node, and a line to it. */
export const mortal = {
  nodeArguments: ['--import', new URL('./kill-at-batch.js', import.meta.url).href],
  line: 'ipc',
} as const;

/**
 * Kill a process with SIGKILL at a point counted from now, looked for without a pause; `meanwhile` is called between
 * looks. Resolves when it is dead. Throws when the process ends by itself, or when `signal` aborts first.
 */
export async function killAt(
  child: ChildProcess,
  point: KillPoint,
  { signal, meanwhile }: { readonly signal?: AbortSignal; readonly meanwhile?: () => void } = {},
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the process could not be started');
  const death = ended(child);
  // It may die before it has read the line.
  if (point.how !== 'outside') child.send(point, () => {});
  using written = new WrittenCounter(pid);
  const reached = point.how === 'outside' ? reaching(written, point) : () => false;
  while (child.exitCode === null && child.signalCode === null) {
    for (let i = 0; i < readsPerTurn && !child.killed; i++) if (reached()) child.kill('SIGKILL');
    signal?.throwIfAborted();
    if (!child.killed) meanwhile?.();
    // Who dies by itself needs no watching.
    await (point.how === 'outside' ? setImmediate() : setTimeout(1));
  }
  const how = await death;
  if (how !== 'SIGKILL') throw new Error(`the process ended by itself: ${how}`);
}

/** Tells whether a process has written what a point names, counted from the first call. */
function reaching(written: WrittenCounter, point: KillPoint): () => boolean {
  const bytes = (written.read()?.bytes ?? 0) + point.bytes;
  let calls: number | undefined;
  return () => {
    const now = written.read();
    if (now === undefined) return false;
    if (calls === undefined && now.bytes >= bytes) calls = now.calls + point.count;
    return calls !== undefined && now.calls >= calls;
  };
}
