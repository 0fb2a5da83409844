/** A content from the store whose first piece can be had before the answer's head goes out: what is damaged is not begun. */
export class StoredContent implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #first: IteratorResult<Uint8Array> | undefined;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Read the first piece. Throws what reading throws: CACHE_DAMAGED, CACHE_GONE. */
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
