import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import { endGroup, type ProgramGroup, programGroup } from '../../programs/index.ts';
import { pipelineStage } from '../product.ts';
import type { FromThread, ProgramOfThread, StageOfThread, ThreadStart, ToThread } from './messages.ts';

/** Limits of one document in a thread. */
export interface ThreadBounds {
  /** Max time without a product, in seconds; the tolerance is a quarter of it, at most a second. */
  readonly seconds: number;
  /** Heap of a thread, in MiB. */
  readonly heapMiB: number;
}

/** Max time that a thread may hold a product back, in milliseconds: short compared with the time limit. */
function holdMs({ seconds }: ThreadBounds): number {
  return Math.min(1000, seconds * 250);
}

/** A thread was lost over a document; the message is the reason. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

type Answer = { readonly message: FromThread } | { readonly lost: ThreadLost };

/** One worker thread, which processes one document at a time. After a loss it is unusable. */
export class WorkerThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #bounds: ThreadBounds;
  readonly #clock: Clock;
  /** Process groups of the programs that it runs. A lost thread no longer ends them itself. */
  readonly #programs = new Set<number>();
  #settle: ((answer: Answer) => void) | undefined;
  #lost: ThreadLost | undefined;

  /** The stages and programs that it sends are published here. `clock` measures the time limit. */
  constructor(start: Omit<ThreadStart, 'holdMs'>, bounds: ThreadBounds, clock: Clock = systemClock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#worker = new Worker(new URL('./document-worker.js', import.meta.url), {
      workerData: { ...start, holdMs: holdMs(bounds) } satisfies ThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: bounds.heapMiB },
    });
    // It does not keep the process alive: the caller that waits for it has a timer.
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread | ProgramOfThread | StageOfThread) => {
      if (message.kind === 'stage') pipelineStage.publish(message.stage);
      else if (message.kind === 'program') this.#note(message.program);
      else this.#answer({ message });
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

  /** Send a document; resolves to its first products. Throws ThreadLost. */
  begin(document: DocumentInput): Promise<FromThread> {
    return this.#ask({ kind: 'document', document });
  }

  /** Request further products, when the previous ones were not the last. Throws ThreadLost. */
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
      // The previous product may have been held back for this time.
      const patience = seconds * 1000 + holdMs(this.#bounds);
      const answered = new AbortController();
      const late = () => {
        this.#lose(`it takes longer than ${seconds} seconds`);
        void this.#worker.terminate();
      };
      this.#clock.sleep(patience, answered.signal).then(late, () => undefined);
      this.#settle = (answer) => {
        answered.abort();
        this.#settle = undefined;
        if ('lost' in answer) reject(answer.lost);
        else resolve(answer.message);
      };
      if (message.kind === 'more') return this.#worker.postMessage(message);
      // Transferred: as part of the message it would be copied several times.
      const bytes = new Uint8Array(message.document.bytes);
      this.#worker.postMessage({ ...message, document: { ...message.document, bytes } }, [bytes.buffer]);
    });
  }

  #note(program: ProgramGroup): void {
    const { group, running } = program;
    programGroup.publish(program);
    if (!running) this.#programs.delete(group);
    else if (this.#lost === undefined) this.#programs.add(group);
    else endGroup(group);
  }

  #lose(why: string): void {
    this.#lost ??= new ThreadLost(why);
    for (const group of this.#programs) {
      endGroup(group);
      programGroup.publish({ group, running: false });
    }
    this.#programs.clear();
    this.#answer({ lost: this.#lost });
  }

  #answer(answer: Answer): void {
    this.#settle?.(answer);
  }
}
