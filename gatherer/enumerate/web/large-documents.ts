import { createHash } from 'node:crypto';
import { type Fetch, type FetchRequest, type FetchResponse, readStart } from '../../../fetch/index.ts';
import { isGarnerError } from '../../../kernel/index.ts';
import { type DocumentInput, endBytes } from '../../../readers/document/index.ts';

/** The rule for a message whose ends cannot be read either. */
export const tooLargeRule = (maxBytes: number) => `no document larger than ${maxBytes} bytes`;

/** The ends of a document that is too large, as far as they are known. */
export interface Ends {
  /** The beginning, directly followed by the end. */
  readonly bytes: Uint8Array;
  /** Bytes of the beginning. */
  readonly head: number;
  readonly size?: number;
}

/** A document of which no byte was read. */
export const unread = (size?: number): Ends => ({
  bytes: new Uint8Array(),
  head: 0,
  ...(size !== undefined && { size }),
});

/** The document of these ends; the size counts for its MD5, which recognises it in the next run. */
export function abridged(
  url: string,
  name: string,
  { bytes, head, size }: Ends,
): DocumentInput & { readonly md5: string } {
  const md5 = createHash('md5')
    .update(`${size ?? ''}`)
    .update(bytes)
    .digest('hex');
  return { url, name, bytes, md5, abridged: { head, ...(size !== undefined && { size }) } };
}

const chunkBytes = 1024 * 1024;

type PartOptions = Pick<FetchRequest, 'minDelayMs' | 'signal'> & {
  readonly fetch: Fetch;
  readonly maxBytes: number;
};

/** The ends of a document over the Web, by requests for ranges (RFC 9110, 14.2); `answer`: to the request for all of it. */
export async function readEnds(
  url: string,
  answer: FetchResponse | undefined,
  { fetch, maxBytes, minDelayMs, signal }: PartOptions,
): Promise<Ends> {
  const each = endBytes(maxBytes);
  const announced = Number(answer?.headers['content-length'] ?? Number.NaN);
  const plain = answer?.headers['content-encoding'] === undefined && announced > maxBytes;
  let ends = unread(plain ? announced : undefined);
  const part = async (range: string) => {
    const headers = { range: `bytes=${range}`, 'accept-encoding': 'identity' };
    // A body comes in chunks, of which the last is cut.
    const request = { url, headers, redirect: 'manual', maxBytes: each + chunkBytes, start: true } as const;
    const response = await fetch({ ...request, minDelayMs, signal });
    const written = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers['content-range'] ?? '');
    const [from, size] = [Number(written?.[1]), Number(written?.[2])];
    if (response.status === 200 || response.status === 206)
      return { bytes: await readStart(response, each), from, size, isPart: response.status === 206 };
    await response[Symbol.asyncDispose]();
    return undefined;
  };
  try {
    const start = await part(`0-${each - 1}`);
    if (start === undefined || (start.isPart && start.from !== 0)) return ends;
    const size = start.isPart && start.size > 0 ? start.size : ends.size;
    ends = { bytes: start.bytes, head: start.bytes.length, ...(size !== undefined && { size }) };
    if (!start.isPart || size === undefined || size < 2 * each) return ends;
    const end = await part(`${size - each}-${size - 1}`);
    if (end?.isPart !== true || end.from !== size - each) return ends;
    return { ...ends, bytes: Buffer.concat([ends.bytes, end.bytes]) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!isGarnerError(error)) throw error;
    return ends;
  }
}
