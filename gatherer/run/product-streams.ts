import type { DocumentInput } from '../../readers/document/index.ts';
import type { PageFacts } from '../enumerate/index.ts';
import { type DocumentProcessor, ProductStream } from '../pipeline/index.ts';

/** How enumerators read the summary of a document, which is made anyway. */
export interface PageReader {
  readonly factsOf: (document: DocumentInput) => Promise<PageFacts>;
  /** The document will not be yielded: its summary is not needed. */
  readonly drop: (document: DocumentInput) => void;
}

/** The products of the documents of a run: each is processed once, whether its links or its products come first. */
export class ProductStreams {
  readonly #processor: DocumentProcessor;
  readonly #streams = new WeakMap<DocumentInput, ProductStream>();
  /** Streams that are begun and not read to their end: each may hold a thread. */
  readonly #begun = new Set<ProductStream>();
  /** Of the current run. */
  signal: AbortSignal | undefined;

  constructor(processor: DocumentProcessor) {
    this.#processor = processor;
  }

  of(document: DocumentInput): ProductStream {
    let stream = this.#streams.get(document);
    if (stream === undefined) {
      stream = new ProductStream(this.#processor.process(document, this.signal));
      this.#streams.set(document, stream);
      this.#begun.add(stream);
    }
    return stream;
  }

  get reader(): PageReader {
    return {
      factsOf: async (document) => {
        const first = await this.of(document).begin();
        if (first?.kind !== 'summary') return { links: [], kept: false };
        const { index: kept, canonical, links } = first.summary;
        if (first.part !== '') return { links: [], kept };
        return { links, kept, ...(canonical !== undefined && { canonical }) };
      },
      drop: (document) => {
        const stream = this.#streams.get(document);
        if (stream !== undefined) void this.close(stream);
      },
    };
  }

  async close(stream: ProductStream): Promise<void> {
    this.#begun.delete(stream);
    await stream.close();
  }

  /** Close unread streams, for example after an abort, so that they hold no thread. */
  async closeAll(): Promise<void> {
    await Promise.all(Array.from(this.#begun, (stream) => this.close(stream)));
  }
}
