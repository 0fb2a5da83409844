import type { DocumentInput } from '../../../readers/document/index.ts';
import { ModuleSummarisers } from '../../modules/index.ts';
import { Recogniser } from '../../recognise/index.ts';
import { summariserOf } from '../../summarise/index.ts';
import { explodableFormat, unnestableTypes } from '../../unnest/index.ts';
import { InlineProcessor } from '../inline-processor.ts';
import type { DocumentProcessor, Product } from '../product.ts';
import { type ThreadOptions, ThreadProcessor } from './thread-processor.ts';
import type { ThreadBounds } from './worker-thread.ts';

/** Larger documents are never light. */
const lightBytes = 256 * 1024;

/** Up to this many light documents are processed here, which is cheaper than starting threads. */
const lightDocuments = 32;

/** Processes a few light documents in this thread and the rest in worker threads, which start slowly. */
export class LightFirstProcessor implements DocumentProcessor {
  readonly width: number;
  readonly bounds: ThreadBounds;
  readonly #inline: InlineProcessor;
  readonly #threads: ThreadProcessor;
  readonly #recogniser: Recogniser;
  readonly #modules: ModuleSummarisers;
  #done = 0;

  /** Throws GATHERER_UNKNOWN_TYPE, RULE_CONDITION, RULE_PATTERN. */
  constructor(options: ThreadOptions) {
    this.#inline = new InlineProcessor(options.plan);
    this.#threads = new ThreadProcessor(options);
    this.#recogniser = new Recogniser(options.plan.types);
    this.#modules = new ModuleSummarisers(options.plan.customise.modules);
    this.width = options.threads;
    this.bounds = this.#threads.bounds;
  }

  process(document: DocumentInput, signal?: AbortSignal): AsyncIterable<Product> {
    const inline = this.#done < lightDocuments && this.#isLight(document);
    if (inline) this.#done++;
    return (inline ? this.#inline : this.#threads).process(document, signal);
  }

  /** End the threads; the next light documents are processed here again. */
  async rest(): Promise<void> {
    this.#done = 0;
    await this.#threads.rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }

  #isLight(document: DocumentInput): boolean {
    if (document.bytes.length > lightBytes) return false;
    const { type } = this.#recogniser.recognise(document);
    // A module may never return: it runs only in threads, which can be ended.
    if (this.#modules.has(type)) return false;
    if (unnestableTypes.has(type) || explodableFormat(type, document.bytes, document.name) !== undefined)
      return false;
    return summariserOf(type)?.reads !== 'bytes';
  }
}
