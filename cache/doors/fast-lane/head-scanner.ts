import {
  connectionField,
  fieldNumber,
  firstFramingField,
  hostField,
  knownFields,
  nameBytes,
  nameHash,
  plainFields,
  proxyConnectionField,
} from './plain-fields.ts';

/**
 * The class of a head. plain: a prebuilt answer may answer it. single: it needs more, but its end is
 * unambiguous. unusual: Node's parser must read it. cut: incomplete.
 */
export type Scanned = 'plain' | 'single' | 'unusual' | 'cut';

/** The form of the target (RFC 9112 3.2): at the server itself, or absolute for a proxy. */
export type TargetForm = 'origin' | 'absolute';

/** Longer heads are unusual, whatever the door permits. Bytes. */
const maxHeadSize = 8192;
const maxTarget = 4096;
/** A line has at least a name, a colon and an end. */
const maxLines = maxHeadSize / 4;

const [CR, LF, SP, TAB, COLON, SLASH] = [13, 10, 32, 9, 58, 47];

function table(chars: string): Uint8Array {
  const is = new Uint8Array(256);
  for (const char of chars) is[char.charCodeAt(0)] = 1;
  return is;
}

const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Path and query by RFC 3986, without the characters that others tolerate. */
const isTargetByte = table(`${alphanumeric}-._~%!$&'()*+,;=:@/?`);
const isHostByte = table(`${alphanumeric}-.:[]`);
/** Visible characters, space and tab: no control byte, nothing above ASCII. */
const isValueByte = table(
  `\t${Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')}`,
);

const literal = (text: string) => Buffer.from(text, 'latin1');
const get = literal('GET ');
const head = literal('HEAD ');
const version = literal('HTTP/1.1\r\n');
const http = literal('http://');

const keepAlive = 'keep-alive';

function startsWith(bytes: Uint8Array, at: number, end: number, what: Uint8Array): boolean {
  if (end - at < what.length) return false;
  for (let index = 0; index < what.length; index++) if (bytes[at + index] !== what[index]) return false;
  return true;
}

/**
 * Parses unambiguous request heads (a strict part of RFC 9112 2 to 5): GET or HEAD, HTTP/1.1, CRLF, one Host, no
 * content; plain ones have only known fields, none of them twice. The results are valid until the next `scan`.
 */
export class HeadScanner {
  method: 'GET' | 'HEAD' = 'GET';
  form: TargetForm = 'origin';
  /** Path and query; in the absolute form with scheme and authority, as sent. */
  target = '';
  host = '';
  /** Offset after the head's last byte. */
  end = 0;

  readonly #maxHead: number;
  #text = '';
  #isPlain = true;
  /** The number of the scan that found each field, so that nothing has to be cleared. */
  #scan = 0;
  readonly #metIn = new Uint32Array(knownFields);
  readonly #starts = new Int32Array(knownFields);
  readonly #ends = new Int32Array(knownFields);
  #targetStart = 0;
  /** Of each line: start and end of its name, start and end of its value. */
  readonly #lines = new Int32Array(4 * maxLines);
  #lineCount = 0;

  /** Heads of more than `maxHeadBytes` are unusual. */
  constructor(maxHeadBytes = maxHeadSize) {
    this.#maxHead = Math.min(maxHeadBytes, maxHeadSize);
  }

  /**
   * Parse the head that begins at `start`. `text` is the same bytes as latin1. A head is `cut` when `bytes`
   * ends before it does and nothing unusual was found so far.
   */
  scan(bytes: Uint8Array, text: string, start: number): Scanned {
    this.#text = text;
    this.#isPlain = true;
    this.#lineCount = 0;
    this.#scan = (this.#scan + 1) >>> 0 || this.#cleared();
    const whole = bytes.length;
    const end = Math.min(whole, start + this.#maxHead);
    const cut: Scanned = end < whole ? 'unusual' : 'cut';

    let at = start;
    if (startsWith(bytes, at, end, get)) {
      this.method = 'GET';
      at += get.length;
    } else if (startsWith(bytes, at, end, head)) {
      this.method = 'HEAD';
      at += head.length;
    } else return end - at < head.length ? cut : 'unusual';

    const target = at;
    if (bytes[at] === SLASH) this.form = 'origin';
    else if (startsWith(bytes, at, end, http)) {
      this.form = 'absolute';
      at += http.length;
    } else return end - at < http.length ? cut : 'unusual';
    while (at < end && isTargetByte[bytes[at] as number] === 1) at++;
    if (at === end) return cut;
    if (bytes[at] !== SP || at - target > maxTarget) return 'unusual';
    const targetEnd = at;
    if (!startsWith(bytes, ++at, end, version)) return end - at < version.length ? cut : 'unusual';
    at += version.length;

    for (;;) {
      if (at + 1 >= end) return cut;
      if (bytes[at] === CR) {
        if (bytes[at + 1] !== LF) return 'unusual';
        this.end = at + 2;
        break;
      }
      at = this.#field(bytes, at, end);
      if (at === 0) return 'unusual';
      if (at === -1) return cut;
    }
    this.target = text.substring(target, targetEnd);
    this.#targetStart = target;
    if (!this.#understood(bytes)) return 'unusual';
    return this.#isPlain ? 'plain' : 'single';
  }

  /** The value of a field by its number, without spaces around it; undefined when the request has none. */
  value(field: number): string | undefined {
    if (this.#metIn[field] !== this.#scan) return undefined;
    return this.#text.substring(this.#starts[field] as number, this.#ends[field] as number);
  }

  /** Copies of the parsed texts in `bytes`: the target, and names and values of all fields, alternating. */
  copied(bytes: Buffer): { readonly target: string; readonly fields: string[] } {
    const from = this.#targetStart;
    const target = bytes.toString('latin1', from, from + this.target.length);
    const fields: string[] = [];
    for (let at = 0; at < 4 * this.#lineCount; at += 2)
      fields.push(bytes.toString('latin1', this.#lines[at], this.#lines[at + 1]));
    return { target, fields };
  }

  /** The start of the next line; 0 for an unusual field, -1 for an incomplete one. */
  #field(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let hash = 0;
    for (; at < end; at++) {
      const byte = nameBytes[bytes[at] as number] as number;
      if (byte === 0) break;
      hash = nameHash(hash, byte);
    }
    if (at === end) return -1;
    if (bytes[at] !== COLON) return 0;
    const field = fieldNumber(bytes, start, at, hash);
    if (field >= firstFramingField) return 0;
    const isKnown = field >= 0 && this.#metIn[field] !== this.#scan;
    if (!isKnown) {
      // A repeated known field, or a line without a name.
      if (at === start || field >= plainFields.length) return 0;
      this.#isPlain = false;
    }
    const nameEnd = at;
    at++;
    while (at < end && (bytes[at] === SP || bytes[at] === TAB)) at++;
    const value = at;
    while (at < end && isValueByte[bytes[at] as number] === 1) at++;
    if (at + 1 >= end) return at < end && bytes[at] !== CR ? 0 : -1;
    if (bytes[at] !== CR || bytes[at + 1] !== LF) return 0;
    let valueEnd = at;
    while (valueEnd > value && (bytes[valueEnd - 1] === SP || bytes[valueEnd - 1] === TAB)) valueEnd--;
    const line = 4 * this.#lineCount++;
    this.#lines[line] = start;
    this.#lines[line + 1] = nameEnd;
    this.#lines[line + 2] = value;
    this.#lines[line + 3] = valueEnd;
    if (!isKnown) return at + 2;
    this.#metIn[field] = this.#scan;
    this.#starts[field] = value;
    this.#ends[field] = valueEnd;
    return at + 2;
  }

  /** Whether Host and the connection fields are usual. */
  #understood(bytes: Uint8Array): boolean {
    if (this.#metIn[hostField] !== this.#scan) return false;
    const [start, end] = [this.#starts[hostField] as number, this.#ends[hostField] as number];
    if (start === end) return false;
    for (let at = start; at < end; at++) if (isHostByte[bytes[at] as number] !== 1) return false;
    this.host = this.#text.substring(start, end);
    if (this.form === 'absolute' && !this.#isAuthority(this.host)) return false;
    return this.#keeps(connectionField) && this.#keeps(proxyConnectionField);
  }

  /** Whether an absolute target has the authority of Host (RFC 9112 3.2.2), so that neither can be mistaken. */
  #isAuthority(host: string): boolean {
    const slash = this.target.indexOf('/', http.length);
    return slash - http.length === host.length && this.target.startsWith(host, http.length);
  }

  #keeps(field: number): boolean {
    if (this.#metIn[field] !== this.#scan) return true;
    const value = this.value(field) as string;
    return value === keepAlive || value.toLowerCase() === keepAlive;
  }

  #cleared(): number {
    this.#metIn.fill(0);
    return 1;
  }
}
