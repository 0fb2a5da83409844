import { Worker } from 'node:worker_threads';
import type { DocumentInput } from '../../../readers/document/index.ts';
import { pipelineStage } from '../pipeline-events.ts';
import type { FromThread, StageOfThread, ThreadStart, ToThread } from './messages.ts';

/** What one document may use in a thread. */
export interface ThreadBounds {
  /** Longest time without a product, in seconds; up to a quarter of it more, a second at most, passes unnoticed. */
  readonly seconds: number;
  /** Heap of a thread, in MiB. */
  readonly heapMiB: number;
}

/** How long a thread may hold a product back, in milliseconds: short beside the time in which it must give one. */
function holdMs({ seconds }: ThreadBounds): number {
  return Math.min(1000, seconds * 250);
}

/** The thread was lost over a document; the sentence says why. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

type Heard = { readonly message: FromThread } | { readonly lost: ThreadLost };

/** One worker thread, which works on one document at a time. After a loss it is of no more use. */
export class WorkerThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #bounds: ThreadBounds;
  #heard: ((heard: Heard) => void) | undefined;
  #lost: ThreadLost | undefined;

  /** The stages that it tells are published here. */
  constructor(start: Omit<ThreadStart, 'holdMs'>, bounds: ThreadBounds) {
    this.#bounds = bounds;
    this.#worker = new Worker(new URL('./document-worker.js', import.meta.url), {
      workerData: { ...start, holdMs: holdMs(bounds) } satisfies ThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: bounds.heapMiB },
    });
    // It keeps nobody alive: who waits for it has a timer.
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread | StageOfThread) => {
      if (message.kind === 'stage') pipelineStage.publish(message.stage);
      else this.#tell({ message });
    });
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#lose(memory ? `it needs more than ${bounds.heapMiB} MiB of memory` : error.message);
    });
    this.#worker.on('exit', () => this.#lose('its thread ended'));
  }

  /** Whether it can take a document. */
  get usable(): boolean {
    return this.#lost === undefined;
  }

  /** Send a document and hear the first products of it. Throws ThreadLost. */
  begin(document: DocumentInput): Promise<FromThread> {
    return this.#ask({ kind: 'document', document });
  }

  /** Hear further products, when those before were not the last. Throws ThreadLost. */
  more(): Promise<FromThread> {
    return this.#ask({ kind: 'more' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lose('its thread was ended');
    await this.#worker.terminate();
  }

  #ask(message: ToThread): Promise<FromThread> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      const { seconds } = this.#bounds;
      // The product before may have been ready for so long.
      const patience = seconds * 1000 + holdMs(this.#bounds);
      const timer = setTimeout(() => {
        this.#lose(`it takes longer than ${seconds} seconds`);
        void this.#worker.terminate();
      }, patience);
      this.#heard = (heard) => {
        clearTimeout(timer);
        this.#heard = undefined;
        if ('lost' in heard) reject(heard.lost);
        else resolve(heard.message);
      };
      if (message.kind === 'more') return this.#worker.postMessage(message);
      // Handed over as it is; as part of the message it would be copied several times.
      const bytes = new Uint8Array(message.document.bytes);
      this.#worker.postMessage({ ...message, document: { ...message.document, bytes } }, [bytes.buffer]);
    });
  }

  #lose(why: string): void {
    this.#lost ??= new ThreadLost(why);
    this.#tell({ lost: this.#lost });
  }

  #tell(heard: Heard): void {
    this.#heard?.(heard);
  }
}
