import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { encodeObject } from '../../../soif/index.ts';
import { type BuiltSegment, bytesOf, partsOf, type SegmentPart } from './segment-part.ts';

/** Min bytes of a batch that is built in threads: about a second's work of one thread. */
const minBytes = 8 * 1024 * 1024;
const maxThreads = 2;

interface ThreadOptions {
  /** Min bytes of a large batch. */
  readonly min?: number;
  /** Number of threads. With one, batches are built in this thread. */
  readonly count?: number;
}

/** A part for a thread: objects in binary form. */
export interface PartToBuild extends Omit<SegmentPart, 'objects'> {
  readonly bodies: readonly Uint8Array[];
  readonly positions: boolean;
}

/** Worker threads that make segments of large batches. They end with the first small batch. */
export class SegmentThreads implements AsyncDisposable {
  readonly #positions: boolean;
  readonly #min: number;
  readonly #count: number;
  readonly #threads: Worker[] = [];

  constructor(positions: boolean, options: ThreadOptions = {}) {
    this.#positions = positions;
    this.#min = options.min ?? minBytes;
    this.#count = Math.min(maxThreads, options.count ?? availableParallelism());
  }

  get running(): number {
    return this.#threads.length;
  }

  /** Segments of a large batch, one for each thread; undefined where it is to be built in this thread. */
  async build(batch: SegmentPart): Promise<readonly BuiltSegment[] | undefined> {
    const bytes = batch.objects.reduce((sum, object) => sum + bytesOf(object), 0);
    if (bytes < this.#min || this.#count < 2) {
      await this[Symbol.asyncDispose]();
      return undefined;
    }
    const parts = partsOf(batch, this.#count);
    while (this.#threads.length < parts.length) this.#start();
    try {
      return await Promise.all(parts.map((part, at) => this.#buildIn(this.#threads[at] as Worker, part)));
    } catch {
      // A thread was lost, by lack of memory or by a fault. A fault will appear in this thread, too.
      await this[Symbol.asyncDispose]();
      return undefined;
    }
  }

  #start(): void {
    const thread = new Worker(new URL('./segment-worker.js', import.meta.url));
    this.#threads.push(thread);
    // The caller that waits for a segment gets the error, too.
    thread.on('error', () => {});
    thread.on('exit', () => {
      const at = this.#threads.indexOf(thread);
      if (at >= 0) this.#threads.splice(at, 1);
    });
  }

  async #buildIn(thread: Worker, { objects, ...part }: SegmentPart): Promise<BuiltSegment> {
    const bodies = objects.map(encodeObject);
    const message: PartToBuild = { ...part, bodies, positions: this.#positions };
    const ended = new AbortController();
    const { signal } = ended;
    thread.ref();
    thread.postMessage(
      message,
      bodies.map(({ buffer }) => buffer as ArrayBuffer),
    );
    try {
      const lost = once(thread, 'exit', { signal }).then(() => {
        throw new Error('a thread that builds segments has ended');
      });
      const [built] = (await Promise.race([once(thread, 'message', { signal }), lost])) as [BuiltSegment];
      return built;
    } finally {
      ended.abort();
      // An idle thread does not keep the process alive.
      thread.unref();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }
}
