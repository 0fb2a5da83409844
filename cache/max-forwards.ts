import type { CacheAnswer, CacheRequest } from './exchange.ts';
import { Fields, type RawFields, withField, withoutFields } from './rules/index.ts';

/** Fields that a reflected request keeps to itself (RFC 9110 9.3.8). */
const secret: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** A request as it came, for TRACE. */
function reflection({ method, url, fields, version }: CacheRequest): Uint8Array {
  const open = withoutFields(fields, secret);
  const lines = [`${method} ${url} HTTP/${version}`];
  for (let at = 0; at < open.length; at += 2) lines.push(`${open[at]}: ${open[at + 1]}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * What Max-Forwards makes of an OPTIONS or TRACE (RFC 9110 7.6.2): at 0 it is answered here, else it goes on with one less.
 * Other methods and values that are no number are left as they are.
 */
export function withMaxForwards(
  request: CacheRequest,
): { readonly answer: CacheAnswer } | { readonly fields: RawFields } {
  const { method, fields } = request;
  const given = new Fields(fields).get('max-forwards');
  if ((method !== 'OPTIONS' && method !== 'TRACE') || given === undefined || !/^\d{1,9}$/.test(given))
    return { fields };
  const left = Number(given);
  if (left > 0) return { fields: withField(fields, 'Max-Forwards', String(left - 1)) };
  if (method === 'OPTIONS') {
    const allowed = ['Allow', 'GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS, TRACE'];
    return { answer: { status: 204, reason: 'No Content', fields: allowed } };
  }
  const content = reflection(request);
  return {
    answer: {
      status: 200,
      reason: 'OK',
      fields: ['Content-Type', 'message/http', 'Cache-Control', 'no-store'],
      content,
      contentLength: content.length,
    },
  };
}
