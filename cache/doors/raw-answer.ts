import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure, type GarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { RawFields } from '../rules/index.ts';
import { errorAnswer } from './error-answer.ts';

/** Answer an error on a connection that has no response object (a broken request, a refused tunnel), and end it. */
export function answerRaw(socket: Duplex, error: GarnerError, pseudonym: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, fields, content } = errorAnswer(error, pseudonym);
  const body = content as Uint8Array;
  const length = ['Content-Length', String(body.length), 'Connection', 'close'];
  socket.write(rawHead(status, [...fields, ...length]));
  socket.end(body, () => socket.destroy());
}

/** A response head as bytes, without invalid fields. */
export function rawHead(status: number, fields: RawFields): Buffer {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Answer'}`];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const line = `${fields[at]}: ${fields[at + 1]}`;
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(line)) lines.push(line);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** An error of Node's HTTP parser, with the bytes that it was reading and its position. */
interface ParserError {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

// RFC 9112 3, with a method that is short enough to be repeated.
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) [\x21-\x7e]+ HTTP\/1\.[01]\r\n/;
const maxLineLength = 16_384;

/** The method of the line at which Node's parser, with its fixed list of methods, stopped; else undefined. */
function unknownMethod({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  if (rawPacket === undefined) return undefined;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1, 'latin1') + 1;
  return requestLine.exec(rawPacket.toString('latin1', start, start + maxLineLength))?.[1];
}

export function parserRefusal(error: ParserError, maxHeadBytes: number): GarnerError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return failure(cacheErrors.CACHE_HEAD_TOO_LARGE, { limit: `${maxHeadBytes} bytes` }, error);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failure(cacheErrors.CACHE_REQUEST_SLOW, {}, error);
    case 'HPE_INVALID_METHOD': {
      const method = unknownMethod(error);
      if (method !== undefined) return failure(cacheErrors.CACHE_METHOD_UNKNOWN, { method }, error);
      return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'it does not begin with a method' }, error);
    }
    default:
      return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'it is not valid HTTP/1.1' }, error);
  }
}
