import type { CacheAnswer } from '../requests/index.ts';
import { Fields, withField } from '../rules/index.ts';
import { allowedMethods } from './error-answer.ts';
import type { RequestHead } from './request-head.ts';

/** The host, without brackets, and the port of a normalised URL. */
export function placeOf(url: string): { readonly host: string; readonly port: number } {
  const [, scheme = '', bracketed, plain, digits] =
    /^([a-z]+):\/\/(?:\[([^\]]*)\]|([^/:]*))(?::(\d+))?/.exec(url) ?? [];
  const usual = { https: 443, ftp: 21, gopher: 70 }[scheme] ?? 80;
  return { host: bracketed ?? plain ?? '', port: digits === undefined ? usual : Number(digits) };
}

/** The host that the client itself named: visitors must not see the address of the origin. */
export const namedHost = ({ form, url, host }: RequestHead): string =>
  form === 'absolute' ? placeOf(url).host : host;

// A TRACE answer repeats the request without fields that scripts must not read (RFC 9110 9.3.8).
const secrets: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** OPTIONS and TRACE count hops (RFC 9110 7.6.2): an answer at the last one, else the head with one less. */
export function countHop(method: string, head: RequestHead): CacheAnswer | RequestHead {
  if (method !== 'OPTIONS' && method !== 'TRACE') return head;
  const hops = new Fields(head.fields).get('max-forwards');
  if (hops === undefined || !/^\d{1,9}$/.test(hops)) return head;
  if (Number(hops) > 0)
    return { ...head, fields: withField(head.fields, 'Max-Forwards', String(Number(hops) - 1)) };
  return method === 'OPTIONS' ? optionsAnswer : traceAnswer(head);
}

/** The methods of this cache; also the answer to `OPTIONS *`. */
export const optionsAnswer: CacheAnswer = {
  status: 204,
  reason: 'No Content',
  fields: ['Allow', allowedMethods, 'Cache-Control', 'no-store'],
};

function traceAnswer(head: RequestHead): CacheAnswer {
  const lines = [`TRACE ${head.url} HTTP/1.1`];
  for (let at = 0; at + 1 < head.fields.length; at += 2)
    if (!secrets.has(head.fields[at]?.toLowerCase() ?? ''))
      lines.push(`${head.fields[at]}: ${head.fields[at + 1]}`);
  const content = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const fields = [
    'Content-Type',
    'message/http',
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
  ];
  return { status: 200, reason: 'OK', fields, content, contentLength: content.length };
}
