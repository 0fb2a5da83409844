import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
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
export function logarithmic(random: Random, least: number, most: number): number {
  return Math.round(least * (most / least) ** random.next());
}

/** How many looks a kill is late: none for half of them, up to a millisecond or two for the others. */
export function lateLooks(random: Random): number {
  return random.next() < 0.5 ? 0 : Math.floor(random.next() * 400);
}

/** Reads how many bytes a process has given to write calls; undefined once it is dead. */
class WrittenBytes implements Disposable {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(512);

  constructor(pid: number | 'self') {
    this.#file = openSync(`/proc/${pid}/io`, 'r');
  }

  read(): number | undefined {
    try {
      const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
      const found = /wchar: (\d+)/.exec(this.#buffer.toString('latin1', 0, length))?.[1];
      return found === undefined ? undefined : Number(found);
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
    using own = new WrittenBytes('self');
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
 * Kill a process with SIGKILL once it has written `bytes` more, counted from now and looked at without a pause, and
 * `looks` more looks (of microseconds) later, so that not every kill comes right after a write; `meanwhile` is called
 * in between. Resolves, when it is dead, to the bytes at the kill. Throws when the process
 * ends by itself, or when `signal` aborts first.
 */
export async function killAfterBytes(
  child: ChildProcess,
  bytes: number,
  options: { readonly looks?: number; readonly signal?: AbortSignal; readonly meanwhile?: () => void } = {},
): Promise<number> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the process could not be started');
  const death = ended(child);
  using written = new WrittenBytes(pid);
  const before = written.read() ?? 0;
  for (;;) {
    for (let i = 0; i < readsPerTurn; i++) {
      const now = written.read();
      if (now === undefined || child.exitCode !== null)
        throw new Error(`the process ended by itself: ${await death}`);
      if (now - before < bytes) continue;
      for (let look = options.looks ?? 0; look > 0; look--) written.read();
      child.kill('SIGKILL');
      const how = await death;
      if (how !== 'SIGKILL') throw new Error(`the process ended by itself: ${how}`);
      return now - before;
    }
    options.signal?.throwIfAborted();
    options.meanwhile?.();
    await setImmediate();
  }
}
