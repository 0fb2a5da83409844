import { latin1Start } from '../bytes/index.ts';
import { byteOrder, decodeText } from '../text/index.ts';

/** One property of a card or a calendar: `GROUP.NAME;PARAMETER=VALUE:VALUE`. */
export interface ContentLine {
  /** In upper case, without its group. */
  readonly name: string;
  /** By name in upper case, values joined by commas; a bare value of version 2.1 is a `TYPE`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Decoded, still with the escapes of its kind of text. */
  readonly value: string;
}

const maxLines = 500_000;
const maxValue = 64 * 1024;
const maxParameters = 64;
const encodings: ReadonlySet<string> = new Set(['QUOTED-PRINTABLE', 'BASE64', 'B', '8BIT', '7BIT']);

/**
 * The lines of iCalendar (RFC 5545), vCalendar 1.0 and vCard 2.1 to 4.0 (RFC 6350), unfolded and decoded; lines without
 * a name are skipped. Lines are unfolded before they are decoded: a fold may lie within a character.
 */
export function* contentLines(bytes: Uint8Array, charset?: string): Generator<ContentLine> {
  const plain = byteOrder(bytes) === undefined ? bytes : Buffer.from(decodeText(bytes, charset));
  const unfolded = latin1Start(plain).replace(/\r?\n[ \t]|\r(?=\n)/g, '');
  const written = unfolded.split(/[\r\n]/, maxLines);
  const decoded = decodeText(Buffer.from(unfolded, 'latin1'), charset).split(/[\r\n]/, maxLines);
  const same = decoded.length === written.length;
  for (let at = 0; at < written.length; at++) {
    let line = written[at] ?? '';
    const head = headOf(line);
    if (head === undefined) continue;
    const { name, parameters, end } = head;
    const label = parameters.get('CHARSET');
    if (parameters.get('ENCODING') === 'QUOTED-PRINTABLE') {
      // Its soft line breaks are no folds.
      while (line.endsWith('=') && at + 1 < written.length && line.length < maxValue)
        line = line.slice(0, -1) + (written[++at] ?? '').replace(/^[ \t]+/, '');
      const value = Buffer.from(unquoted(line.slice(end, end + maxValue)), 'latin1');
      yield { name, parameters, value: decodeText(value, label ?? charset) };
    } else {
      const raw =
        label === undefined && same ? undefined : Buffer.from(line.slice(end, end + maxValue), 'latin1');
      // Names and parameters may hold characters of several bytes, but no colon that is a part of one.
      const text = raw === undefined ? behindHead(decoded[at] ?? '') : decodeText(raw, label ?? charset);
      yield { name, parameters, value: text.slice(0, maxValue) };
    }
  }
}

interface Head {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Where the value begins. */
  readonly end: number;
}

const part =
  /;([\w-]{1,60})(?:=((?:"[^"]{0,4000}"|[^;:",]{0,4000})(?:,(?:"[^"]{0,4000}"|[^;:",]{0,4000})){0,50}))?/y;

function headOf(line: string): Head | undefined {
  const start = /^\s{0,8}(?:[\w-]{1,60}\.)?([A-Za-z][\w-]{0,60})(?=[;:])/.exec(line.slice(0, 200));
  if (start === null) return undefined;
  const parameters = new Map<string, string>();
  part.lastIndex = start[0].length;
  let at = part.lastIndex;
  for (let count = 0; count < maxParameters; count++) {
    const found = part.exec(line);
    if (found === null) break;
    at = part.lastIndex;
    addParameter(parameters, (found[1] ?? '').toUpperCase(), found[2]?.replaceAll('"', ''));
  }
  const colon = line.charAt(at) === ':' ? at : line.indexOf(':', at);
  if (colon < 0) return undefined;
  return { name: (start[1] ?? '').toUpperCase(), parameters, end: colon + 1 };
}

function addParameter(parameters: Map<string, string>, name: string, value: string | undefined): void {
  const bare = value === undefined;
  const key = bare ? (encodings.has(name) ? 'ENCODING' : 'TYPE') : name;
  const text = key === 'ENCODING' ? (value ?? name).toUpperCase() : (value ?? name);
  const before = parameters.get(key);
  parameters.set(key, before === undefined ? text : `${before},${text}`);
}

function behindHead(line: string): string {
  return line.slice(headOf(line)?.end ?? 0);
}

function unquoted(text: string): string {
  return text.replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const escapes: Readonly<Record<string, string>> = { n: '\n', N: '\n' };

/** A text value without its escapes: `\n`, `\,`, `\;`, `\\`. */
export function plainValue(value: string): string {
  return value.replace(/\\([\s\S])/g, (_, sign: string) => escapes[sign] ?? sign);
}

/** The parts of a value between signs that are not escaped, each without its escapes. */
export function valueParts(value: string, sign: ';' | ','): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= value.length && parts.length < 200; at++) {
    if (value.charAt(at) === '\\') at++;
    else if (at >= value.length || value.charAt(at) === sign) {
      parts.push(plainValue(value.slice(start, at)).trim());
      start = at + 1;
    }
  }
  return parts;
}
