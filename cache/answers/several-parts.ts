import { type ByteRange, printContentRange } from '../rules/index.ts';

export interface SeveralParts {
  readonly contentType: string;
  readonly length: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The content from which the parts are taken. */
export interface PartsOf {
  readonly total: number;
  /** Content-Type of the whole, repeated in each part; absent parts have none. */
  readonly contentType: string | undefined;
  /** Random, so that no content can contain it on purpose. */
  readonly boundary: string;
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Ranges of a content as multipart/byteranges (RFC 9110 14.6). The first piece comes after the first bytes of
 * the content have been read, so that an answer does not begin with unreadable content.
 */
export function severalParts(ranges: readonly ByteRange[], of: PartsOf): SeveralParts {
  const { boundary, contentType, total } = of;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const heads = ranges.map((range, at) => {
    const before = at === 0 ? '' : '\r\n';
    const where = printContentRange(range, total);
    return Buffer.from(`${before}--${boundary}\r\n${type}Content-Range: ${where}\r\n\r\n`, 'latin1');
  });
  const end = Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1');
  const lengths = ranges.map(({ first, last }, at) => last - first + 1 + (heads[at]?.length ?? 0));
  return {
    contentType: `multipart/byteranges; boundary=${boundary}`,
    length: lengths.reduce((sum, one) => sum + one, end.length),
    content: pieces(ranges, heads, end, of.read),
  };
}

async function* pieces(
  ranges: readonly ByteRange[],
  heads: readonly Uint8Array[],
  end: Uint8Array,
  read: PartsOf['read'],
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const [at, range] of ranges.entries()) {
    let head = heads[at];
    for await (const piece of read(range)) {
      if (head !== undefined) yield head;
      head = undefined;
      yield piece;
    }
  }
  yield end;
}
