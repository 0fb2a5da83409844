import type { Clock } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import type { PipelinePlan } from '../pipeline-plan.ts';
import { plainProduct } from '../plain-product.ts';
import type { DocumentProcessor, Product } from '../product.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type ThreadBounds, ThreadLost, WorkerThread } from './worker-thread.ts';

/** Max batches of products (about a million characters each) that are taken ahead of the reader. */
const batchesAhead = 32;

/** Waiting time of documents before one more thread: a thread costs about a second of CPU until it is warm. */
const strainMs = 3000;

export interface ThreadOptions extends ThreadBounds {
  readonly plan: PipelinePlan;
  /** Max threads; more than one only when documents have waited. */
  readonly threads: number;
  /** Total waiting time of documents before one more thread, in milliseconds; 3000 when absent. */
  readonly strainMs?: number;
  /** Measures the time limit of a document; the machine's clock when absent. */
  readonly clock?: Clock;
  /** Whether the stages of each document are published; false when absent. */
  readonly stages?: boolean;
}

/**
 * Processes documents in worker threads, one per thread, each within limits of time and memory. It begins with one
 * thread and adds others when documents wait. A document that breaks a thread gets the plain summary with a note, and
 * the next one a new thread.
 */
export class ThreadProcessor implements DocumentProcessor {
  readonly width: number;
  readonly bounds: ThreadBounds;
  readonly #options: ThreadOptions;
  readonly #idle: WorkerThread[] = [];
  readonly #all = new Set<WorkerThread>();
  readonly #limit: ConcurrencyLimit;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.width = options.threads;
    this.#limit = new ConcurrencyLimit({ width: options.threads, strainMs: options.strainMs ?? strainMs });
    const { seconds, heapMiB } = options;
    this.bounds = { seconds, heapMiB };
  }

  async *process(document: DocumentInput, signal?: AbortSignal): AsyncGenerator<Product> {
    await this.#limit.take();
    let thread: WorkerThread | undefined;
    let given = false;
    const giveBack = async (finished: boolean) => {
      if (given) return;
      given = true;
      await this.#giveBack(thread, finished);
    };
    // A reader that stopped never continues: only an abort gives its thread back.
    const abort = () => void giveBack(false);
    signal?.addEventListener('abort', abort, { once: true });
    let sent = 0;
    try {
      signal?.throwIfAborted();
      thread = this.#thread();
      let batch = await thread.begin(document);
      for (;;) {
        const ready = [...batch.products];
        // A thread does not wait for a reader that may itself wait for another document.
        for (let batches = 1; !batch.last && batches < batchesAhead; batches++) {
          batch = await thread.more();
          ready.push(...batch.products);
        }
        if (batch.last) await giveBack(batch.fault === undefined);
        for (const product of ready) {
          sent++;
          yield product;
        }
        if (batch.fault !== undefined) throw new ThreadLost(batch.fault);
        if (batch.last) break;
        signal?.throwIfAborted();
        batch = await thread.more();
      }
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      signal?.throwIfAborted();
      if (this.#closed) throw error;
      yield* plainProduct(document, this.#options.plan, error.message, sent > 0);
    } finally {
      signal?.removeEventListener('abort', abort);
      await giveBack(false);
    }
  }

  /** End the idle threads; the next document starts one again. */
  async rest(): Promise<void> {
    this.#limit.rest();
    await Promise.all(this.#idle.splice(0).map((thread) => this.#end(thread)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  #thread(): WorkerThread {
    if (this.#closed) throw new ThreadLost('its thread was ended');
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.usable) return idle;
      void this.#end(idle);
    }
    const { plan, stages = false, clock } = this.#options;
    const thread = new WorkerThread({ plan, stages }, this.bounds, clock);
    this.#all.add(thread);
    return thread;
  }

  /** Return a thread. One that was left in the middle of a document cannot stop by itself: it is ended. */
  async #giveBack(thread: WorkerThread | undefined, finished: boolean): Promise<void> {
    if (thread !== undefined) {
      if (finished && thread.usable && !this.#closed) this.#idle.push(thread);
      else await this.#end(thread);
    }
    this.#limit.leave();
  }

  async #end(thread: WorkerThread): Promise<void> {
    this.#all.delete(thread);
    await thread[Symbol.asyncDispose]();
  }
}
