import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure, type GarnerError } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import { errorBody } from './failure-answer.ts';
import { securityHeaders } from './security-headers.ts';

/** Send an error on a connection that has no response object (a broken request, a refused upgrade), and end it. */
export function answerRaw(socket: Duplex, error: GarnerError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(error));
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    ...(error.status === 503 && { 'retry-after': '1' }),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}\r\n${head.join('')}\r\n${body}`,
    () => socket.destroy(),
  );
}

export function parserRefusal(
  error: Error & { readonly code?: string },
  maxHeaderBytes: number,
): GarnerError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return failure(httpErrors.HTTP_HEADERS_TOO_LARGE, { limit: maxHeaderBytes }, error);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failure(httpErrors.HTTP_REQUEST_TIMEOUT, {}, error);
    default:
      return failure(httpErrors.HTTP_BAD_REQUEST, { problem: 'it is not valid HTTP/1.1' }, error);
  }
}
