import { STATUS_CODES } from 'node:http';
import type { GarnerError } from '../../kernel/index.ts';
import { connectFaultOf } from '../connect-faults.ts';
import type { CacheAnswer } from '../requests/index.ts';

// RFC 9209 2.3: the registered types of errors.
const proxyErrors: Readonly<Record<string, string>> = {
  CACHE_UNREACHABLE: 'destination_unavailable',
  CACHE_SILENT: 'http_response_timeout',
  CACHE_BROKEN_OFF: 'http_response_incomplete',
  CACHE_BAD_RESPONSE: 'http_protocol_error',
  CACHE_ADDRESS_REFUSED: 'destination_ip_prohibited',
  CACHE_BAD_REQUEST: 'http_request_error',
  CACHE_FORBIDDEN: 'http_request_denied',
  CACHE_PURGE_OFF: 'http_request_denied',
  CACHE_PURGE_FORBIDDEN: 'http_request_denied',
  CACHE_PURGE_TOKEN: 'http_request_denied',
  CACHE_NOT_SERVED: 'http_request_error',
  CACHE_METHOD: 'http_request_error',
  CACHE_METHOD_UNKNOWN: 'http_request_error',
  CACHE_URL_TOO_LONG: 'http_request_error',
  CACHE_HEAD_TOO_LARGE: 'http_request_error',
  CACHE_CONTENT_TOO_LARGE: 'http_request_error',
  CACHE_EXPECTATION: 'http_request_error',
  CACHE_REQUEST_SLOW: 'http_request_error',
  CACHE_PLAIN_ON_TLS: 'http_request_error',
  CACHE_LOOP: 'proxy_loop_detected',
  CACHE_TUNNEL_REFUSED: 'http_request_denied',
  CACHE_ONLY_IF_CACHED: 'proxy_internal_response',
  CACHE_CLOSING: 'proxy_internal_response',
  CACHE_BUSY: 'http_request_denied',
  CACHE_CLIENT_BUSY: 'http_request_denied',
  CACHE_INTERNAL: 'proxy_internal_error',
};

/** The methods of every cache of ours. */
export const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE';

// Fields that a status requires: RFC 9110 15.5.2, 15.5.6, 15.5.20, 15.6.4.
const ofStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate', 'Bearer'],
  405: ['Allow', allowedMethods],
  429: ['Retry-After', '1'],
  503: ['Retry-After', '1'],
};

// Faults of the origin; their messages have its address.
const ofServer: ReadonlySet<string> = new Set([
  ...['CACHE_UNREACHABLE', 'CACHE_SILENT', 'CACHE_BROKEN_OFF', 'CACHE_BAD_RESPONSE', 'CACHE_ADDRESS_REFUSED'],
]);
const siteFails = 'the server of this site gave no usable answer\ntry again later\n';

/**
 * An error as an answer: plain text that no browser takes for a page, never stored, with Proxy-Status (RFC
 * 9209), from which the next cache learns the cause. `ofSite`: it is for visitors of an accelerated site, who
 * must not see the address of the origin.
 */
export function errorAnswer(error: GarnerError, pseudonym: string, ofSite = false): CacheAnswer {
  const message = ofSite && ofServer.has(error.code) ? siteFails : `${error.message}\n${error.hint}\n`;
  const text = printable(message);
  const content = Buffer.from(`${text}(${error.code})\n`);
  const kind = connectFaultOf(error)?.proxyError ?? proxyErrors[error.code] ?? 'proxy_internal_error';
  const proxyStatus = `${pseudonym}; error=${kind}; details="${error.code}"`;
  return {
    status: error.status,
    reason: STATUS_CODES[error.status] ?? '',
    fields: [
      ...['Content-Type', 'text/plain; charset=utf-8', 'X-Content-Type-Options', 'nosniff'],
      ...['Cache-Control', 'no-store', 'Proxy-Status', proxyStatus],
      ...(ofStatus[error.status] ?? []),
    ],
    content,
    contentLength: content.length,
  };
}

// A message may repeat a URL, which is untrusted text.
function printable(text: string): string {
  return text.replace(/[^\n\x20-\x7e]/g, '?');
}
