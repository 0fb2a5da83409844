import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { failure, Pacing } from '../../../kernel/index.ts';
import { queryErrors } from '../../../query/index.ts';
import { type BatchAnswer, type BatchToVerify, matching, type VerifiedQuery } from './verify-batch.ts';

/** Up to this many bytes are checked in this thread; more go to worker threads. */
const ownBytes = 256 * 1024;
const maxThreads = 4;
/** Max batches waiting for one thread. */
const batchesAhead = 2;

interface Waiting {
  readonly done: (matches: readonly boolean[]) => void;
  readonly fail: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** Checks stored objects against queries: few in this thread, many in workers, started when needed. */
export class Verifier implements AsyncDisposable {
  readonly #threads: Thread[] = [];
  readonly #pacing = new Pacing(64 * 1024);
  #number = 0;

  /** Whether each body matches. */
  async matching(
    query: VerifiedQuery,
    bodies: readonly (Uint8Array | undefined)[],
  ): Promise<readonly boolean[]> {
    const bytes = bodies.reduce((sum, body) => sum + (body?.length ?? 0), 0);
    if (bytes > ownBytes) return this.#elsewhere({ number: this.#number++, query, bodies });
    const matches = matching(query, bodies);
    await this.#pacing.pause(bytes);
    return matches;
  }

  /** Max batches in flight. */
  get width(): number {
    return batchesAhead * threadCount();
  }

  #elsewhere(batch: BatchToVerify): Promise<readonly boolean[]> {
    const thread = this.#idlest();
    return new Promise((done, fail) => {
      thread.waiting.set(batch.number, { done, fail });
      thread.worker.ref();
      thread.worker.postMessage(batch);
    });
  }

  #idlest(): Thread {
    const [idlest] = [...this.#threads].sort((a, b) => a.waiting.size - b.waiting.size);
    if (idlest !== undefined && (idlest.waiting.size === 0 || this.#threads.length >= threadCount()))
      return idlest;
    return this.#started();
  }

  #started(): Thread {
    const worker = new Worker(new URL('./verification-worker.js', import.meta.url));
    const thread: Thread = { worker, waiting: new Map() };
    // An idle worker does not keep the process alive.
    worker.unref();
    worker.on('message', (answer: BatchAnswer) => {
      const waiting = thread.waiting.get(answer.number);
      thread.waiting.delete(answer.number);
      if (thread.waiting.size === 0) worker.unref();
      if ('costly' in answer) waiting?.fail(failure(queryErrors.QUERY_COSTLY, {}));
      else if ('error' in answer) waiting?.fail(answer.error);
      else waiting?.done(answer.matches);
    });
    const lost = (error: unknown) => {
      const at = this.#threads.indexOf(thread);
      if (at >= 0) this.#threads.splice(at, 1);
      for (const { fail } of thread.waiting.values()) fail(error);
      thread.waiting.clear();
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('a thread that reads objects has ended')));
    this.#threads.push(thread);
    return thread;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }
}

/** One core stays for the rest of the server. */
const threadCount = () => Math.max(1, Math.min(maxThreads, availableParallelism() - 1));
