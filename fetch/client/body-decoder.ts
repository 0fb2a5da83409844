import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { failure, GarnerError } from '../../kernel/index.ts';
import { fetchErrors } from '../errors.ts';

/** The encodings that this client accepts and can decode. */
export const acceptEncoding = 'gzip, deflate, br';

// Encoded data may be a little longer than the decoded data, and no more.
const codingBytes = 64 * 1024;

// A body encoded more often than this is an attack, not a document.
const maxLayers = 3;

/** The codings of a Content-Encoding field in the order they were applied; identity left out. */
function codings(field: string | undefined): string[] {
  return (field ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** The decoder for one coding; `deflate` needs the first byte, since some servers send it without zlib's header. */
function decoderOf(coding: string, firstByte: number): Transform | undefined {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return (firstByte & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
  return undefined;
}

async function* bounded(
  source: AsyncIterable<Uint8Array>,
  url: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) throw failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes });
    yield chunk;
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* undo(
  source: AsyncIterable<Uint8Array>,
  coding: string,
  url: string,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (!first.done && first.value.length === 0) first = await chunks.next();
  // An empty body is the empty document in any coding.
  if (first.done) return;
  const decoder = decoderOf(coding, first.value[0] ?? 0);
  if (!decoder) {
    await chunks.return?.();
    throw failure(fetchErrors.FETCH_BAD_ENCODING, { url, encoding: coding.slice(0, 40) });
  }
  let sourceError: unknown;
  const wire = Readable.from(startingWith(first.value, chunks), { objectMode: false });
  wire.once('error', (error) => {
    sourceError = error;
  });
  pipeline(wire, decoder, () => undefined);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    if (error instanceof GarnerError) throw error;
    throw failure(fetchErrors.FETCH_BAD_ENCODING, { url, encoding: coding }, error);
  } finally {
    wire.destroy();
    decoder.destroy();
  }
}

/** A body without its content encodings, max `maxBytes`. Throws FETCH_TOO_LARGE, FETCH_BAD_ENCODING. */
export function decodeBody(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  { url, maxBytes }: { readonly url: string; readonly maxBytes: number },
): AsyncIterable<Uint8Array> {
  const applied = codings(contentEncoding);
  if (applied.length > maxLayers)
    throw failure(fetchErrors.FETCH_BAD_ENCODING, { url, encoding: `${applied.length} layers` });
  const decoded = applied.reduceRight<AsyncIterable<Uint8Array>>(
    // Each layer is bounded, so that an inner bomb cannot feed an outer one for ever.
    (inner, coding) => bounded(undo(inner, coding, url), url, maxBytes),
    // Encoded data may go on without ever yielding any output.
    bounded(source, url, applied.length > 0 ? maxBytes + codingBytes : maxBytes),
  );
  return decoded;
}
