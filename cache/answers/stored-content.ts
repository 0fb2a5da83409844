import type { ByteRange } from '../rules/index.ts';

/** A stored content whose first piece can be read before the head is sent: no answer begins with damage. */
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

/** A range of a content that is read from its beginning; the bytes after it are not read. */
export function skipTo(
  content: AsyncIterableIterator<Uint8Array>,
  range: ByteRange | undefined,
): AsyncIterable<Uint8Array> {
  return range === undefined ? content : sliced(content, range);
}

async function* sliced(
  content: AsyncIterableIterator<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0;
  for await (const piece of content) {
    const from = Math.max(first - at, 0);
    const to = Math.min(last + 1 - at, piece.length);
    at += piece.length;
    if (from < to) yield piece.subarray(from, to);
    if (at > last) return;
  }
}
