import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { RawFields } from '../rules/index.ts';
import { rawHead } from './raw-answer.ts';
import type { Reply, RequestedHead } from './reply.ts';
import type { RequestHead } from './request-head.ts';

/** A request's content, and how to send an interim answer. */
interface ContentTalk {
  readonly content: Readable | undefined;
  readonly onInterim: (status: number, fields: RawFields) => void;
}

/** The content of a request, bounded. 100 goes to a waiting client when it is read (RFC 9110 10.1.1). */
export function requestContent(
  request: RequestedHead,
  response: Reply,
  head: RequestHead,
  { expects, maxBytes }: { readonly expects: boolean; readonly maxBytes: number },
): ContentTalk {
  let waits = expects;
  const goOn = () => {
    if (!waits || response.headersSent) return;
    waits = false;
    response.writeContinue();
  };
  const onInterim = (status: number, fields: RawFields) => {
    if (status === 100) goOn();
    else writeInterim(response, status, fields);
  };
  // Only Node's server accepts a request with content.
  if (head.content === undefined || !(request instanceof IncomingMessage))
    return { content: undefined, onInterim };
  const declared = head.content.length !== undefined;
  if (declared && !expects) return { content: request, onInterim };
  const pieces = async function* () {
    goOn();
    let bytes = 0;
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes) throw failure(cacheErrors.CACHE_CONTENT_TOO_LARGE, { limit: maxBytes });
      yield piece;
    }
  };
  return { content: Readable.from(pieces(), { objectMode: false }), onInterim };
}

/** Write an interim answer before the final one; this answer is the current one of its connection. */
function writeInterim(response: Reply, status: number, fields: RawFields): void {
  const { socket } = response;
  if (response.headersSent || socket === null || !socket.writable || status <= 101 || status > 199) return;
  socket.write(rawHead(status, fields));
}
