import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import {
  type ContentCoding,
  compress,
  compressor,
  isCompressible,
  minCompressedBytes,
  preferredCoding,
} from './encoding.ts';
import type { RouteResponse } from './route.ts';

export interface AnswerRequest {
  /** GET and HEAD may be answered 304; HEAD gets no body. */
  readonly method: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly signal: AbortSignal;
  /** The body stays open until the caller leaves or the signal aborts, which ends it in order. */
  readonly isStanding?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | Readable | undefined;
}

/**
 * A response as bytes or a stream: content type, 304, compression, HEAD. Pulls the first piece of a stream,
 * so that one that fails at once gets an error. Throws TypeError for a bad header.
 */
export async function prepareAnswer(request: AnswerRequest, response: RouteResponse): Promise<Answer> {
  const status = response.status ?? 200;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers ?? {})) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    headers[name.toLowerCase()] = value;
  }
  const body = bodyOf(response, headers);
  const bodiless = status === 204 || status === 304;
  const isOpen = request.isStanding === true && body !== undefined && !(body instanceof Uint8Array);
  // A compressor would hold back what a reader waits for.
  const coding = body === undefined || bodiless || isOpen ? undefined : negotiate(request, headers, body);
  if (coding !== undefined && headers.etag !== undefined) headers.etag = weakEtag(headers.etag);

  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && status === 200 && matchesEtag(request.ifNoneMatch, headers.etag)) {
    await discard(body);
    for (const name of ['content-type', 'content-length', 'content-encoding']) delete headers[name];
    return { status: 304, headers, body: undefined };
  }
  if (bodiless || body === undefined) {
    await discard(body);
    return { status, headers, body: undefined };
  }
  if (coding !== undefined) {
    headers['content-encoding'] = coding;
    delete headers['content-length'];
  }
  if (body instanceof Uint8Array) {
    const sent =
      coding === undefined
        ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
        : await compress(body, coding);
    headers['content-length'] = String(sent.byteLength);
    return { status, headers, body: sent };
  }
  if (request.method === 'HEAD') {
    await discard(body);
    return { status, headers, body: undefined };
  }
  if (request.isStanding === true) return { status, headers, body: await standing(body, request.signal) };
  return { status, headers, body: await streamed(body, coding, request.signal) };
}

type Body = Uint8Array | AsyncIterable<Uint8Array> | undefined;

function bodyOf(response: RouteResponse, headers: Record<string, string>): Body {
  if (response.json !== undefined) {
    if (response.body !== undefined) throw new TypeError('a response has json or a body, not both');
    headers['content-type'] ??= 'application/json; charset=utf-8';
    return Buffer.from(response.jsonText ?? JSON.stringify(response.json));
  }
  if (typeof response.body === 'string') {
    headers['content-type'] ??= 'text/plain; charset=utf-8';
    return Buffer.from(response.body);
  }
  if (response.body !== undefined) headers['content-type'] ??= 'application/octet-stream';
  return response.body;
}

/** Choose a content coding, and name the choice in `vary`. */
function negotiate(
  request: AnswerRequest,
  headers: Record<string, string>,
  body: NonNullable<Body>,
): ContentCoding | undefined {
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined) return undefined;
  if (!isCompressible(headers['content-type'] ?? '')) return undefined;
  if (/\bno-transform\b/i.test(headers['cache-control'] ?? '')) return undefined;
  if (body instanceof Uint8Array && body.byteLength < minCompressedBytes) return undefined;
  const vary = headers.vary;
  if (vary === undefined) headers.vary = 'accept-encoding';
  else if (!/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(vary))
    headers.vary = `${vary}, accept-encoding`;
  return preferredCoding(request.acceptEncoding);
}

/** Release a stream that nobody will read, so that its resources are closed. */
async function discard(body: Body): Promise<void> {
  if (body === undefined || body instanceof Uint8Array) return;
  // A Node stream that has not begun does not notice its iterator's end.
  if (body instanceof Readable) body.destroy();
  await body[Symbol.asyncIterator]().return?.();
}

async function streamed(
  body: AsyncIterable<Uint8Array>,
  coding: ContentCoding | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  const iterator = body[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | undefined = await iterator.next();
  // A plain iterator: a generator that was never started would not pass `return` on.
  const rest: AsyncIterator<Uint8Array> = {
    next: async () => {
      signal.throwIfAborted();
      if (first === undefined) return iterator.next();
      const pulled = first;
      first = undefined;
      return pulled;
    },
    return: async () => {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  const source = Readable.from({ [Symbol.asyncIterator]: () => rest }, { objectMode: false });
  if (coding === undefined) return source;
  const compressing = compressor(coding);
  pipeline(source, compressing, () => {
    // Both ends are destroyed with the error; the reader of `compressing` gets it.
  });
  return compressing;
}

/** A body that stays open: it ends when the signal aborts, even while its source waits. */
async function standing(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Readable> {
  const iterator = body[Symbol.asyncIterator]();
  const end = { done: true, value: undefined } as const;
  // Each pull has a promise of its own: to race with one that lives as long as the answer would leak.
  let finish: (end: IteratorResult<Uint8Array>) => void = () => undefined;
  const pull = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      if (signal.aborted) return resolve(end);
      finish = resolve;
      iterator.next().then(resolve, reject);
    });
  // Not awaited: a generator that waits closes only when its wait ends.
  const close = () => {
    void (async () => iterator.return?.())().catch(() => undefined);
  };
  const stop = () => {
    finish(end);
    close();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  let first: IteratorResult<Uint8Array> | undefined = await pull();
  const rest: AsyncIterator<Uint8Array> = {
    next: async () => {
      const pulled = first ?? (await pull());
      first = undefined;
      return pulled;
    },
    return: async () => {
      close();
      return end;
    },
  };
  // A large buffer would hold states that are out of date when the reader takes them.
  return Readable.from({ [Symbol.asyncIterator]: () => rest }, { objectMode: false, highWaterMark: 1 });
}

/** Whether an If-None-Match header names this entity tag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.replace(/^W\//, '');
  const tags = ifNoneMatch.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
  return tags.some((tag) => opaque(tag) === opaque(etag));
}

/** The tag of the same content after compression: equal in meaning, not equal in bytes. */
export function weakEtag(etag: string): string {
  return etag.startsWith('W/') ? etag : `W/${etag}`;
}
