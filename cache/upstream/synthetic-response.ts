import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { type Listing, listingType, printListing } from '../../fetch/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { UpstreamRequest, UpstreamResponse } from '../requests/index.ts';
import { Fields, httpDate, type RawFields } from '../rules/index.ts';
import { explained } from './scheme-errors.ts';

/** Bytes of contents that wait for their readers. */
export interface HeldBytes {
  readonly isFull: boolean;
  hold(content: Readable, bytes: number): void;
}

/** Counts contents until they are read or dropped. */
export function heldBytes(max: number): HeldBytes {
  let held = 0;
  return {
    get isFull() {
      return held >= max;
    },
    hold: (content, bytes) => {
      held += bytes;
      content.once('close', () => {
        held -= bytes;
      });
    },
  };
}

/** Options of answers that come from no HTTP server. */
export interface Making {
  readonly clock: Clock;
  /** Lifetime of a response without a date. */
  readonly freshSeconds: number;
  readonly held: HeldBytes;
}

const pieceBytes = 64 * 1024;

const dateOf = (clock: Clock): RawFields => ['Date', httpDate(Math.floor(clock.now() / 1000))];

// The type is our own guess: the browser must not guess again.
const sniffing: RawFields = ['X-Content-Type-Options', 'nosniff'];

/** A response, as an HTTP server would have sent it, with a complete content. */
export function syntheticResponse(
  { method }: UpstreamRequest,
  status: number,
  fields: RawFields,
  content: Uint8Array,
  { clock, held }: Making,
): UpstreamResponse {
  const isHead = method === 'HEAD';
  const sent = isHead || status === 304 ? new Uint8Array() : content;
  const body = inPieces(sent);
  held.hold(body, sent.length);
  return {
    status,
    reason: STATUS_CODES[status] ?? '',
    fields: [
      ...dateOf(clock),
      ...fields,
      ...sniffing,
      ...(isHead || status === 304 ? [] : ['Content-Length', String(content.length)]),
    ],
    ...(!isHead && status !== 304 && { contentLength: content.length }),
    content: body,
    trailers: () => [],
  };
}

/** The same for a content that is still being received; it fails with errors of this folder. */
export function streamedAnswer(
  request: UpstreamRequest,
  fields: RawFields,
  { content, size }: { readonly content: Readable; readonly size: number | undefined },
  { clock }: Making,
): UpstreamResponse {
  const isHead = request.method === 'HEAD';
  if (isHead) content.destroy();
  const length = size === undefined ? [] : ['Content-Length', String(size)];
  return {
    status: 200,
    reason: 'OK',
    fields: [...dateOf(clock), ...fields, ...sniffing, ...length],
    ...(size !== undefined && !isHead && { contentLength: size }),
    content: isHead ? inPieces(new Uint8Array()) : new StreamedContent(request.url, content),
    trailers: () => [],
  };
}

/** A content from a client of another protocol. */
class StreamedContent extends Readable {
  readonly #source: Readable;

  constructor(url: string, source: Readable) {
    super({ highWaterMark: pieceBytes });
    this.#source = source;
    // It may fail before it is read; a later reader gets the error.
    this.on('error', () => undefined);
    source.pause();
    source.on('data', (piece: Buffer) => {
      if (!this.push(piece)) source.pause();
    });
    source.once('end', () => this.push(null));
    source.once('error', (error) => this.destroy(explained(url, error)));
  }

  override _read(): void {
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.destroy();
    done(error);
  }
}

/** An answer with a text for people: why there is nothing else. */
export function textAnswer(
  request: UpstreamRequest,
  status: number,
  fields: RawFields,
  text: string,
  making: Making,
): UpstreamResponse {
  const typed = ['Content-Type', 'text/plain; charset=utf-8', ...fields];
  return syntheticResponse(request, status, typed, Buffer.from(`${text}\n`), making);
}

// Labels and names are untrusted: such a page may run or load nothing.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";

/** A folder or menu: the listing itself for programs that accept it, else a page. */
export function listAnswer(
  request: UpstreamRequest,
  listing: Listing,
  { page, vary = [] }: { readonly page: () => string; readonly vary?: readonly string[] },
  making: Making,
): UpstreamResponse {
  const plain = new Fields(request.fields).get('accept')?.toLowerCase().includes(listingType) === true;
  const form = plain
    ? ['Content-Type', listingType]
    : ['Content-Type', 'text/html; charset=utf-8', 'Content-Security-Policy', pagePolicy];
  const fields = [...form, 'Vary', ['Accept', ...vary].join(', '), ...freshFor(making)];
  return syntheticResponse(request, 200, fields, Buffer.from(plain ? printListing(listing) : page()), making);
}

/** Cache-Control for a response whose time of change is unknown. */
export const freshFor = ({ freshSeconds }: Making): RawFields => ['Cache-Control', `max-age=${freshSeconds}`];

function inPieces(bytes: Uint8Array): Readable {
  let at = 0;
  return new Readable({
    read() {
      if (at < bytes.length) this.push(bytes.subarray(at, at + pieceBytes));
      at += pieceBytes;
      if (at >= bytes.length) this.push(null);
    },
  });
}
