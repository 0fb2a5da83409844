import type { CacheAnswer } from '../requests/index.ts';
import type { RawFields } from '../rules/index.ts';
import type { Reply } from './reply.ts';

/** Connection fields of an answer; the door and Node write them. */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// RFC 9110 6.5.1: fields for framing, routing, authentication or decisions must not come after the content.
const neverTrailers: ReadonlySet<string> = new Set([
  ...ofTheConnection,
  ...['age', 'authorization', 'cache-control', 'content-encoding', 'content-range', 'content-type', 'date'],
  ...['expires', 'host', 'location', 'set-cookie', 'te', 'vary', 'via', 'warning'],
]);

/** The content is not as declared; the connection must not end as if it were. */
class BrokenContent extends Error {}

/**
 * Write an answer to its end, at the client's speed. When its content fails half-way, is longer or shorter than
 * declared, or the client disconnects, the connection is closed so that no recipient takes the answer for whole.
 * Rejects when nothing was written yet, so that an error can be answered instead. `nowMs` dates an answer without Date.
 */
export async function writeAnswer(response: Reply, answer: CacheAnswer, nowMs: number): Promise<void> {
  const { status, content } = answer;
  const bodiless = response.req.method === 'HEAD' || status === 204 || status === 304;
  if (response.destroyed) return;
  if (bodiless || content === undefined || content instanceof Uint8Array) {
    writeHead(response, answer, { bodiless, nowMs });
    response.end(bodiless || !(content instanceof Uint8Array) ? undefined : content);
    if (bodiless && content !== undefined && !(content instanceof Uint8Array)) await leaveUnread(content);
    return;
  }
  const pieces = content[Symbol.asyncIterator]();
  // An immediate failure may still become an error answer; a slow content must not delay its head.
  const first = pieces.next();
  const soon = await Promise.race([first, immediately()]);
  writeHead(response, answer, { bodiless: false, nowMs });
  if (soon === undefined) response.flushHeaders();
  try {
    let piece = await first;
    let left = answer.contentLength ?? Number.POSITIVE_INFINITY;
    while (!piece.done) {
      left -= piece.value.length;
      if (left < 0) throw new BrokenContent('the content is longer than declared');
      if (response.destroyed) throw new BrokenContent('the client has disconnected');
      if (!response.write(piece.value)) await drained(response);
      piece = await pieces.next();
    }
    if (left > 0 && left !== Number.POSITIVE_INFINITY)
      throw new BrokenContent('the content is shorter than declared');
    const trailers = answer.contentLength === undefined ? answer.trailers?.() : undefined;
    if (trailers !== undefined && trailers.length > 0) response.addTrailers(pairs(trailers));
    response.end();
  } catch {
    cut(response, response.chunkedEncoding || answer.contentLength !== undefined);
    await pieces.return?.().catch(() => undefined);
  }
}

/** Close a connection so that its answer cannot be taken for whole. */
function cut(response: Reply, isFramed: boolean): void {
  const { socket } = response;
  if (socket === null) response.destroy();
  // A reset may lose bytes in transit, but a normal close would mark the end of such a content.
  else if (isFramed || ('encrypted' in socket && socket.encrypted === true)) socket.destroy();
  else socket.resetAndDestroy();
}

function writeHead(
  response: Reply,
  answer: CacheAnswer,
  { bodiless, nowMs }: { readonly bodiless: boolean; readonly nowMs: number },
): void {
  const { status, reason, fields, content } = answer;
  const out: string[] = [];
  let declared: string | undefined;
  let isDated = false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'content-length') declared = value;
    else if (!ofTheConnection.has(lower)) out.push(name, value);
    isDated ||= lower === 'date';
  }
  const length = content instanceof Uint8Array ? content.length : answer.contentLength;
  if (length !== undefined && status !== 204) out.push('Content-Length', String(length));
  else if (bodiless && declared !== undefined && status !== 204) out.push('Content-Length', declared);
  else if (!bodiless && content === undefined) out.push('Content-Length', '0');
  // RFC 9110 6.6.1; Node would use the clock of the machine.
  if (!isDated) out.push('Date', new Date(nowMs).toUTCString());
  // HTTP/1.0 clients do not understand chunks, whatever their TE states.
  if (response.req.httpVersion === '1.0') response.useChunkedEncodingByDefault = false;
  response.writeHead(status, reason, out);
}

async function leaveUnread(content: AsyncIterable<Uint8Array>): Promise<void> {
  await content[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined);
}

const immediately = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));

/** Resolves when there is room again, or when the connection has closed. */
function drained(response: Reply): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

function pairs(raw: RawFields): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (!neverTrailers.has(name.toLowerCase())) found.push([name, raw[at + 1] ?? '']);
  }
  return found;
}
