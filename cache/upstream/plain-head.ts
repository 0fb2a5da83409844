import { type RawFields, trimmed } from '../rules/index.ts';

// RFC 9110 5.1, 5.5, 5.6.2, in latin1.
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/;
const linesPattern = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)+$/;
const targetPattern = /^[\x21-\x7e\x80-\xff]+$/;
const statusPattern = /^HTTP\/1\.1 ([2-5]\d\d) ([\t\x20-\x7e\x80-\xff]*)$/;

// Connection fields, and those that demand more than an answer, go to Node.
const ofTheConnection: ReadonlySet<string> = new Set(['connection', 'expect', 'te', 'trailer', 'upgrade']);

/** An unambiguous response head that states the length of its content (RFC 9112 6.3). */
export interface PlainHead {
  readonly status: number;
  readonly reason: string;
  /** As received. */
  readonly raw: RawFields;
  readonly length: number | undefined;
  /** Seconds for which the connection is kept, by Keep-Alive. */
  readonly keptSeconds: number | undefined;
  /** Offset after the head's last byte. */
  readonly end: number;
}

/** A request head as latin1, without content; undefined when its fields may not be sent this way. */
export function printPlainHead(
  method: string,
  target: string,
  host: string,
  fields: RawFields,
): string | undefined {
  if (!targetPattern.test(target) || !targetPattern.test(host)) return undefined;
  let text = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] as string;
    const value = fields[at + 1] as string;
    if (!tokenPattern.test(name) || !valuePattern.test(value)) return undefined;
    if (ofTheConnection.has(name.toLowerCase())) return undefined;
    text += `${name}: ${value}\r\n`;
  }
  return `${text}Connection: keep-alive\r\n\r\n`;
}

/**
 * The final HTTP/1.1 head at the beginning of `bytes`, if it is plain: CRLF lines, no transfer coding, max
 * one Content-Length, a connection that stays. Else undefined: Node's parser reads it.
 */
export function readPlainHead(
  bytes: Buffer,
  { maxBytes, maxFields }: { readonly maxBytes: number; readonly maxFields: number },
  request: { hasContent(status: number): boolean },
): PlainHead | undefined {
  const end = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  if (end === -1 || end + 4 > maxBytes) return undefined;
  const text = bytes.toString('latin1', 0, end + 2);
  // All lines at once: none has a character that no value may have.
  if (!linesPattern.test(text)) return undefined;
  let from = text.indexOf('\r\n') + 2;
  const found = statusPattern.exec(text.slice(0, from - 2));
  if (found === null) return undefined;
  const status = Number(found[1]);
  const raw: string[] = [];
  let length: number | undefined;
  let keptSeconds: number | undefined;
  while (from < text.length) {
    const close = text.indexOf('\r\n', from);
    const colon = text.indexOf(':', from);
    if (colon === -1 || colon >= close) return undefined;
    const name = text.slice(from, colon);
    const value = trimmed(text.slice(colon + 1, close));
    if (!tokenPattern.test(name)) return undefined;
    switch (name.length) {
      case 7:
      case 17:
        if (isOneOf(name, 'upgrade', 'transfer-encoding')) return undefined;
        break;
      case 10:
        if (name.toLowerCase() === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined;
        if (name.toLowerCase() === 'keep-alive') keptSeconds = secondsOf(value);
        break;
      case 14:
        if (name.toLowerCase() !== 'content-length') break;
        if (length !== undefined || !/^\d{1,15}$/.test(value)) return undefined;
        length = Number(value);
        break;
      default:
    }
    raw.push(name, value);
    from = close + 2;
  }
  if (raw.length > 2 * maxFields || (status === 204 && (length ?? 0) > 0)) return undefined;
  if (length === undefined && request.hasContent(status)) return undefined;
  return { status, reason: found[2] as string, raw, length, keptSeconds, end: end + 4 };
}

function isOneOf(name: string, ...lowerNames: readonly string[]): boolean {
  return lowerNames.includes(name.toLowerCase());
}

function secondsOf(value: string): number | undefined {
  const digits = /(?:^|[\s,;])timeout=(\d{1,6})(?:$|[\s,;])/i.exec(value)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
