/**
 * A stored content whose first piece can be read before the head of the answer is sent, so that an answer
 * does not begin with damaged content.
 */
export class StoredContent implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Read the first piece. Rejects with CACHE_DAMAGED or CACHE_GONE. */
  async begin(): Promise<void> {
    this.#first ??= await this.#pieces.next();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const first = this.#first;
        this.#first = undefined;
        return first ?? this.#pieces.next();
      },
      return: async () => {
        await this.#pieces.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}
