import type { DocumentInput } from '../../../readers/document/index.ts';
import type { PipelinePlan } from '../pipeline-plan.ts';
import { plainProduct } from '../plain-product.ts';
import type { DocumentProcessor, Product } from '../product.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { type ThreadBounds, ThreadLost, WorkerThread } from './worker-thread.ts';

/** Batches of products (a million characters each, or so) that are taken before a reader wants them. */
const batchesAhead = 32;

/** A thread costs about a second of CPU until it is warm: so long must documents have waited for one more. */
const strainMs = 3000;

export interface ThreadOptions extends ThreadBounds {
  readonly plan: PipelinePlan;
  /** At most; more than one only work when documents have waited. */
  readonly threads: number;
  /** How long documents wait, all together, for one more thread, in milliseconds; 3000 when absent. */
  readonly strainMs?: number;
  /** Whether the stages of each document's way are published; they are not when absent. */
  readonly stages?: boolean;
}

/**
 * Processes documents in worker threads: as many at once as there are threads, each within its time and memory. One
 * thread begins, the others come when it does not suffice. A document that breaks a thread gets the plain summary with
 * a note, and the next one a new thread.
 */
export class ThreadProcessor implements DocumentProcessor {
  readonly width: number;
  readonly bounds: ThreadBounds;
  readonly #options: ThreadOptions;
  readonly #idle: WorkerThread[] = [];
  readonly #all = new Set<WorkerThread>();
  readonly #turns: ConcurrencyLimit;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.width = options.threads;
    this.#turns = new ConcurrencyLimit({ width: options.threads, strainMs: options.strainMs ?? strainMs });
    const { seconds, heapMiB } = options;
    this.bounds = { seconds, heapMiB };
  }

  async *process(document: DocumentInput, signal?: AbortSignal): AsyncGenerator<Product> {
    await this.#turns.take();
    let thread: WorkerThread | undefined;
    let given = false;
    const giveBack = async (finished: boolean) => {
      if (given) return;
      given = true;
      await this.#giveBack(thread, finished);
    };
    // A reader who has gone never asks again: nobody else would give the thread back.
    const abort = () => void giveBack(false);
    signal?.addEventListener('abort', abort, { once: true });
    let told = 0;
    try {
      signal?.throwIfAborted();
      thread = this.#thread();
      let heard = await thread.begin(document);
      for (;;) {
        const ready = [...heard.products];
        // A thread is not kept waiting for a reader who may himself wait for another document.
        for (let batches = 1; !heard.last && batches < batchesAhead; batches++) {
          heard = await thread.more();
          ready.push(...heard.products);
        }
        if (heard.last) await giveBack(heard.fault === undefined);
        for (const product of ready) {
          told++;
          yield product;
        }
        if (heard.fault !== undefined) throw new ThreadLost(heard.fault);
        if (heard.last) break;
        signal?.throwIfAborted();
        heard = await thread.more();
      }
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      signal?.throwIfAborted();
      if (this.#closed) throw error;
      yield* plainProduct(document, this.#options.plan, error.message, told > 0);
    } finally {
      signal?.removeEventListener('abort', abort);
      await giveBack(false);
    }
  }

  /** End the threads that wait for work; the next document starts one anew. */
  async rest(): Promise<void> {
    this.#turns.rest();
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
    const { plan, stages = false } = this.#options;
    const thread = new WorkerThread({ plan, stages }, this.bounds);
    this.#all.add(thread);
    return thread;
  }

  /** A thread that was left in the middle of a document cannot be told to stop: it is ended. */
  async #giveBack(thread: WorkerThread | undefined, finished: boolean): Promise<void> {
    if (thread !== undefined) {
      if (finished && thread.usable && !this.#closed) this.#idle.push(thread);
      else await this.#end(thread);
    }
    this.#turns.leave();
  }

  async #end(thread: WorkerThread): Promise<void> {
    this.#all.delete(thread);
    await thread[Symbol.asyncDispose]();
  }
}
