import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure, type GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { errorAnswer } from './error-answer.ts';

/** Answer an error on a connection that has no response object (a broken request, a refused tunnel), and end it. */
export function answerRaw(socket: Duplex, error: GarnerError, pseudonym: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, fields, content } = errorAnswer(error, pseudonym);
  const body = content as Uint8Array;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`];
  for (let at = 0; at < fields.length; at += 2) lines.push(`${fields[at]}: ${fields[at + 1]}`);
  lines.push(`Content-Length: ${body.length}`, 'Connection: close', '', '');
  socket.write(Buffer.from(lines.join('\r\n'), 'latin1'));
  socket.end(body, () => socket.destroy());
}

/** What the HTTP parser's error means to its caller. */
export function parserRefusal(error: { readonly code?: string }, maxHeadBytes: number): GarnerError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return failure(cacheErrors.CACHE_HEAD_TOO_LARGE, { limit: `${maxHeadBytes} bytes` }, error);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failure(cacheErrors.CACHE_REQUEST_SLOW, {}, error);
    default:
      return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'it is not valid HTTP/1.1' }, error);
  }
}
