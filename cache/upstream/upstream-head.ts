import type { IncomingMessage } from 'node:http';

/** How the end of a response's content is found (RFC 9112 6.3). */
interface Framing {
  /** Declared by a valid Content-Length. */
  readonly length?: number;
}

// RFC 9110 18.6. Other codings do not change a content, which then lasts until the connection ends (6.3).
const registered = /^(?:x-)?(?:compress|gzip)$|^deflate$/;
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Horizontal tab and all printable characters, in latin1.
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The framing of a response's content, or the fault of its head. Stricter than RFC 9112: a response that
 * declares two lengths, or a length and a coding, is refused.
 */
export function responseFraming(
  response: IncomingMessage,
  maxFields: number,
): Framing | { readonly fault: string } {
  const { rawHeaders: raw, statusCode: status = 0, httpVersion } = response;
  if (status < 200) return { fault: `status ${status} is not a final one` };
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return { fault: `it speaks HTTP/${httpVersion}` };
  const count = raw.length / 2;
  if (count > maxFields) return { fault: `it has more than ${maxFields} fields` };
  let length: string | undefined;
  let coding: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    const value = raw[at + 1] as string;
    if (!tokenPattern.test(name)) return { fault: 'a field name is not valid' };
    if (!valuePattern.test(value)) return { fault: 'a field holds control characters' };
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== undefined) return { fault: 'it declares its length twice' };
      length = value.trim();
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (coding !== undefined) return { fault: 'it declares its transfer coding twice' };
      coding = value.trim().toLowerCase();
    }
  }
  if (coding !== undefined) {
    if (length !== undefined) return { fault: 'it declares a length and a transfer coding' };
    if (httpVersion !== '1.1') return { fault: `HTTP/${httpVersion} has no transfer codings` };
    if (coding !== 'chunked' && (registered.test(coding) || !tokenPattern.test(coding)))
      return { fault: 'its transfer coding is not chunked' };
    if (status === 204) return { fault: 'status 204 has no transfer coding' };
    return {};
  }
  if (length === undefined) return {};
  if (!/^\d{1,15}$/.test(length)) return { fault: 'its length is not a number' };
  if (status === 204 && Number(length) !== 0) return { fault: 'status 204 has no content' };
  return { length: Number(length) };
}

/** Whether a response has content, regardless of what it declares. */
export function hasContent(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304;
}
