import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

export type ContentCoding = 'br' | 'gzip';

/** Answers smaller than this are not compressed: compression would cost more than it saves. */
export const minCompressedBytes = 1024;

// Dynamic answers: a middle level that is as fast as the disk.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 } };
const gzipOptions = { level: 6 };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Weights of a header such as Accept-Encoding (RFC 9110 section 12.4.2); malformed parts are left out. */
export function weights(header: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  // No honest client sends a header of more parts.
  for (const part of (header ?? '').split(',', 64)) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    if (name === '') continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (weight >= 0 && weight <= 1) found.set(name, weight);
  }
  return found;
}

/** The coding for an answer, or undefined to send it uncompressed (RFC 9110 section 12.5.3). Brotli wins a tie. */
export function preferredCoding(
  acceptEncoding: string | undefined,
  offered: readonly ContentCoding[] = ['br', 'gzip'],
): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const accepted = weights(acceptEncoding);
  const any = accepted.get('*') ?? 0;
  const weight = (coding: string) =>
    accepted.get(coding) ?? (coding === 'gzip' ? accepted.get('x-gzip') : undefined) ?? any;
  const [best] = offered
    .map((coding) => ({ coding, weight: weight(coding) }))
    .filter((choice) => choice.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  if (best === undefined) return undefined;
  const identity = accepted.get('identity');
  return identity !== undefined && identity > best.weight ? undefined : best.coding;
}

/** Whether bytes of this type shrink. Event streams are not compressed, because that would delay them. */
export function isCompressible(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return false;
  return /^(?:text\/.+|application\/(?:json|javascript|xml|soif|x-soif|x-ndjson|.+\+(?:json|xml))|image\/svg\+xml)$/.test(
    type,
  );
}

/** Compress a whole answer, off the main thread. */
export function compress(bytes: Uint8Array, coding: ContentCoding): Promise<Buffer> {
  return coding === 'br' ? compressBrotli(bytes, brotliOptions) : compressGzip(bytes, gzipOptions);
}

export function compressor(coding: ContentCoding) {
  return coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}
