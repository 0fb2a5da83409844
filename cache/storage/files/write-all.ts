import { writev, writevSync } from 'node:fs';

/** A small write that takes longer than this waits for the disk, and blocks the event loop. Milliseconds. */
const slowMs = 2;
const [minWrites, maxWrites] = [500, 64_000];

/**
 * Whether small writes go to threads: 500 after a slow one, and twice as many each time that the first of the
 * next ones is slow again.
 */
export class WritePace {
  #left = 0;
  #next = minWrites;
  #quick = 0;

  /** Whether the next small write goes to a thread. */
  leaves(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Record the time of a small write outside a thread. */
  took(ms: number): void {
    if (ms > slowMs) {
      this.#left = this.#next;
      this.#next = Math.min(this.#next * 2, maxWrites);
      this.#quick = 0;
    } else if (++this.#quick >= minWrites) this.#next = minWrites;
  }
}

/** Max buffers for one system call; IOV_MAX is 1024. */
const maxConcurrent = 512;

/**
 * Up to this many bytes are written without a thread: that takes a few microseconds, the way to a thread and
 * back ten times that.
 */
const maxHere = 64 * 1024;
const pace = new WritePace();

function writeHere(descriptor: number, buffers: readonly Uint8Array[], offset: number): number {
  const begun = performance.now();
  const written = writevSync(descriptor, buffers, offset);
  pace.took(performance.now() - begun);
  return written;
}

function writeInThread(descriptor: number, buffers: readonly Uint8Array[], offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(descriptor, [...buffers], offset, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });
}

function isSmall(buffers: readonly Uint8Array[]): boolean {
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.length;
  return bytes <= maxHere;
}

/** Write buffers one after another from byte `offset` of a file on, however few the system accepts at a time. */
export async function writeAll(
  descriptor: number,
  buffers: readonly Uint8Array[],
  offset: number,
): Promise<void> {
  let at = offset;
  let left = buffers.filter((buffer) => buffer.length > 0);
  while (left.length > 0) {
    const next = left.length > maxConcurrent ? left.slice(0, maxConcurrent) : left;
    const isHere = isSmall(next) && !pace.leaves();
    let written = isHere ? writeHere(descriptor, next, at) : await writeInThread(descriptor, next, at);
    at += written;
    let whole = 0;
    while (whole < left.length && written >= (left[whole] as Uint8Array).length) {
      written -= (left[whole] as Uint8Array).length;
      whole++;
    }
    if (whole === left.length) return;
    left = left.slice(whole);
    const first = left[0];
    if (first !== undefined && written > 0) left[0] = first.subarray(written);
  }
}
