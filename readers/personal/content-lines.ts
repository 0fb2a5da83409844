import { latin1Start, unescapedBytes } from '../bytes/index.ts';
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
  const written = logicalLines(latin1Start(plain).split(/\r\n?|\n/, maxLines));
  // All lines together show a charset that no line names.
  const decoded = decodeText(Buffer.from(written.join('\n'), 'latin1'), charset).split('\n');
  for (const [at, line] of written.entries()) {
    const head = headOf(line);
    if (head === undefined) continue;
    const { name, parameters, end } = head;
    const label = parameters.get('CHARSET');
    const quoted = parameters.get('ENCODING') === 'QUOTED-PRINTABLE';
    if (quoted || label !== undefined) {
      const raw = line.slice(end, end + maxValue);
      const value = decodeText(
        Buffer.from(quoted ? unescapedBytes(raw, '=') : raw, 'latin1'),
        label ?? charset,
      );
      yield { name, parameters, value };
      continue;
    }
    const text = utf8Of(line) ?? decoded[at] ?? line;
    const whole = headOf(text) ?? head;
    yield { name, parameters: whole.parameters, value: text.slice(whole.end, whole.end + maxValue) };
  }
}

/** Lines with their continuations: folds, and the soft line breaks of quoted-printable. */
function logicalLines(physical: readonly string[]): string[] {
  const lines: string[] = [];
  let parts: string[] = [];
  let soft = false;
  const end = () => {
    if (parts.length > 0) lines.push(parts.join(''));
    parts = [];
  };
  for (const line of physical) {
    const folded = /^[ \t]/.test(line);
    if (!folded && !soft) end();
    // White space behind a soft line break belongs to the value.
    parts.push(folded && !soft && parts.length > 0 ? line.slice(1) : line);
    const [first = ''] = parts;
    soft = line.endsWith('=') && /^[^:]{0,1000}QUOTED-PRINTABLE/i.test(first);
    if (soft) parts.push((parts.pop() ?? '').slice(0, -1));
  }
  end();
  return lines;
}

const strict = new TextDecoder('utf-8', { fatal: true });

function utf8Of(latin1: string): string | undefined {
  try {
    return strict.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
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
