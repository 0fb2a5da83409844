import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Random, seededRandom, systemRandom } from '../../kernel/index.ts';

/** The parameters of a test of kills. */
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

/** A number from `min` to `max` with an evenly distributed logarithm: small ones are as likely as large ones. */
export function logarithmic(random: Random, min: number, max: number): number {
  return Math.round(min * (max / min) ** random.next());
}

/** Bytes given to write calls, and the number of those calls. */
interface Written {
  readonly bytes: number;
  readonly calls: number;
}

/** Reads the number of bytes that a process has written; undefined after its death. */
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

/** The reason why processes cannot be watched here, or undefined. */
export function unwatchable(): string | undefined {
  try {
    using own = new WrittenCounter('self');
    if (own.read() !== undefined) return undefined;
  } catch {
    // Reported below.
  }
  return 'SKIPPED: written bytes of a process are read from /proc/PID/io, which only Linux has';
}

/** Resolves with the signal or exit code of a process. */
export function ended(child: ChildProcess): Promise<string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(String(child.signalCode ?? child.exitCode));
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(String(signal ?? code))));
}

const readsPerTurn = 32;

/**
 * The point of a kill: after `bytes` written bytes. `outside`: from this process, `count` write calls later, at any
 * place. Otherwise by the process itself, directly before or after a batch of a database, or `count` tenths of a
 * millisecond into it; `bytes` then counts the bytes of batches.
 */
export interface KillPoint {
  readonly bytes: number;
  readonly how: 'outside' | 'before' | 'during' | 'after';
  readonly count: number;
}

/** A random point with an evenly distributed logarithm, so that start-up and a long life are equally likely. */
export function killPoint(random: Random, maxBytes: number): KillPoint {
  const bytes = logarithmic(random, 500, maxBytes);
  const how = (['outside', 'outside', 'outside', 'before', 'during', 'after'] as const)[
    Math.floor(random.next() * 6)
  ];
  return { bytes, how: how ?? 'outside', count: Math.floor(random.next() * 8) };
}

/** The text of a point. */
export function pointText({ bytes, how, count }: KillPoint): string {
  return how === 'outside' ? `${bytes}+${count}` : `${how} ${bytes}${how === 'during' ? `+${count}` : ''}`;
}

/** Requirements of a process that is killed at a point: arguments of node, and a channel to it. */
export const mortal = {
  nodeArguments: ['--import', new URL('./at-batch.js', import.meta.url).href],
  line: 'ipc',
} as const;

/**
 * Kill a process with SIGKILL at a point counted from now, polled without a pause; `meanwhile` is called between
 * polls. Resolves when it is dead. Throws when the process ends by itself, or when `signal` aborts first.
 */
export async function killAt(
  child: ChildProcess,
  point: KillPoint,
  { signal, meanwhile }: { readonly signal?: AbortSignal; readonly meanwhile?: () => void } = {},
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the process could not be started');
  const death = ended(child);
  // It may die before it has read the message.
  if (point.how !== 'outside') child.send(point, () => {});
  using written = new WrittenCounter(pid);
  const reached = point.how === 'outside' ? reaching(written, point) : () => false;
  while (child.exitCode === null && child.signalCode === null) {
    for (let i = 0; i < readsPerTurn && !child.killed; i++) if (reached()) child.kill('SIGKILL');
    signal?.throwIfAborted();
    if (!child.killed) meanwhile?.();
    // A process that kills itself need not be watched.
    await (point.how === 'outside' ? setImmediate() : setTimeout(1));
  }
  const how = await death;
  if (how !== 'SIGKILL') throw new Error(`the process ended by itself: ${how}`);
}

/** Returns whether a process has reached a point, counted from the first call. */
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
