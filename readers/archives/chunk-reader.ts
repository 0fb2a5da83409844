import { CorruptData, cutShort } from '../compression/index.ts';

/** Reads pieces of a stream in the sizes of an archive's fields, holding one chunk at a time. */
export class ChunkReader {
  readonly #chunks: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #ended = false;
  #fault: { readonly error: unknown } | undefined;
  /** Bytes read or skipped so far. */
  at = 0;

  constructor(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#chunks =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** Up to `count` bytes without taking them; fewer only at the end. */
  async peek(count: number): Promise<Uint8Array> {
    while (this.#chunk.length < count && (await this.#more()));
    return this.#chunk.subarray(0, count);
  }

  /** Exactly `count` bytes; the caller bounds `count`. @throws CorruptData when there are fewer */
  async read(count: number): Promise<Uint8Array> {
    if (count <= this.#chunk.length) return this.#take(count);
    // Filled as the bytes arrive, since the count may be wrong.
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#chunk.length === 0 && !(await this.#more())) throw new CorruptData(cutShort);
      const part = this.#take(Math.min(missing, this.#chunk.length));
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts, count);
  }

  /** Skip `count` bytes. @throws CorruptData when there are fewer */
  async skip(count: number): Promise<void> {
    let missing = count;
    while (missing > 0) {
      if (this.#chunk.length === 0 && !(await this.#more())) throw new CorruptData(cutShort);
      missing -= this.#take(Math.min(missing, this.#chunk.length)).length;
    }
  }

  /** The rest of the stream, piece by piece; the source is closed when the caller stops reading. */
  async *rest(): AsyncGenerator<Uint8Array> {
    try {
      do {
        if (this.#chunk.length > 0) yield this.#take(this.#chunk.length);
      } while (await this.#more());
    } finally {
      await this.close();
    }
  }

  /** Close the source. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#chunks.return?.();
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      this.#fault = { error };
      throw error;
    }
  }

  #take(count: number): Uint8Array {
    const taken = this.#chunk.subarray(0, count);
    this.#chunk = this.#chunk.subarray(count);
    this.at += count;
    return taken;
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false;
    // A source that failed once seems to be at its end afterwards.
    if (this.#fault !== undefined) throw this.#fault.error;
    const step = await this.#next();
    if (step.done === true) {
      this.#ended = true;
      return false;
    }
    this.#chunk = this.#chunk.length === 0 ? step.value : Buffer.concat([this.#chunk, step.value]);
    return true;
  }
}
