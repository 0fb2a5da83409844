import { isAscii } from 'node:buffer';
import { defineEvent } from '../../kernel/index.ts';
import { charsetNamed, editorCharset, isEastAsian } from './charset-labels.ts';
import { decodeAs, oddity } from './decode-as.ts';
import { detectedCharset, evidenceOf } from './detector.ts';
import { koreanDesignator } from './further-charsets.ts';
import { isWholeUtf8, mostlyUtf8 } from './mostly-utf8.ts';

/** What decided the charset of a text. */
export type CharsetRung =
  | 'byte order mark'
  | 'zero bytes of UTF-16'
  | 'escape sequences'
  | 'header'
  | 'declaration'
  | 'valid UTF-8'
  | 'UTF-8 but for single lines'
  | 'statistics'
  | 'default';

/** A text, and how it was decoded. */
export interface DecodedText {
  readonly text: string;
  /** The name of the Encoding standard, in lower case. */
  readonly charset: string;
  readonly by: CharsetRung;
  /** The charsets of labels that the bytes refute. */
  readonly refuted: readonly string[];
}

/** Labels that came with the bytes, as written. */
export interface CharsetLabels {
  /** Outside the document: an HTTP header, a mail's `Content-Type`. */
  readonly header?: string | undefined;
  /** Inside the document: `meta`, an XML declaration, an editor's line. */
  readonly declared?: string | undefined;
}

/**
 * Bytes as text, by the first of these that decides: a byte order mark; the header's charset, then the document's
 * own, unless the bytes refute it; zero bytes that indicate UTF-16; the escape sequences of ISO-2022-JP, ISO-2022-KR or HZ; valid UTF-8;
 * UTF-8 but for single lines; statistics; windows-1252. Where header and declaration name different charsets and
 * the bytes refute neither, the statistics have the casting vote. A label that names nothing is ignored. Bytes
 * without a character become U+FFFD; this never throws.
 */
export function decodeLabelled(bytes: Uint8Array, labels: CharsetLabels = {}): DecodedText {
  const result = ladder(bytes, labels);
  textDecoded.publish(result);
  return result;
}

/** A text was decoded. */
export const textDecoded = defineEvent<DecodedText>('garner:readers:decoded');

function ladder(bytes: Uint8Array, { header, declared }: CharsetLabels): DecodedText {
  const order = byteOrder(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const text = isWholeUtf8(bytes) ? undefined : mostlyUtf8(bytes.subarray(3));
    const marked = decoded(bytes, 'utf-8', 'byte order mark');
    return text === undefined ? marked : { ...marked, text };
  }
  // The bytes of either mark.
  if (order !== undefined && (bytes[0] ?? 0) + (bytes[1] ?? 0) === 0xff + 0xfe)
    return decoded(bytes, order, 'byte order mark');
  // Bytes of ASCII read the same in nearly every charset.
  if (order === undefined && isAscii(bytes) && escapedCharset(bytes) === undefined)
    return { text: latin1(bytes), charset: 'utf-8', by: 'valid UTF-8', refuted: [] };
  const candidates = [
    { charset: charsetNamed(header), by: 'header' as const },
    { charset: charsetNamed(declared ?? editorCharset(bytes)), by: 'declaration' as const },
  ].flatMap(({ charset, by }) => (charset === undefined ? [] : [{ charset, by }]));
  const bytesSay = new BytesSay(bytes, order);
  const standing = candidates.filter(({ charset }) => !bytesSay.refute(charset));
  const refuted = candidates.filter((label) => !standing.includes(label)).map(({ charset }) => charset);
  const [first, second] = standing;
  const chosen =
    first !== undefined && second !== undefined && first.charset !== second.charset
      ? (standing.find(({ charset }) => charset === bytesSay.detected) ?? first)
      : first;
  return {
    ...(chosen === undefined ? bytesSay.decoded() : decoded(bytes, chosen.charset, chosen.by)),
    refuted,
  };
}

/** As `decodeLabelled`, the text alone. */
export function decodeText(bytes: Uint8Array, header?: string, declared?: string): string {
  return decodeLabelled(bytes, { header, declared }).text;
}

// Shifted runs end at any other character; a minus that ends one belongs to it.
const shifted = /\+([A-Za-z0-9+/]*)-?/g;

/**
 * Text of mail as text: UTF-7 (RFC 2152) where the label says so, else `decodeText`. Documents of the Web are never read
 * as UTF-7, since it hides markup.
 */
export function decodeMail(bytes: Uint8Array, label?: string, declared?: string): string {
  if (label === undefined || !/^(?:unicode-1-1-|x-unicode-2-0-)?utf-7$/i.test(label.trim()))
    return decodeText(bytes, label, declared);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return source.replace(shifted, (whole, run: string) => {
    if (run === '') return whole === '+-' ? '+' : whole;
    const units = Buffer.from(run, 'base64');
    // Padding bits may fill another byte.
    return units
      .subarray(0, units.length - (units.length % 2))
      .swap16()
      .toString('utf16le');
  });
}

const escapeByte = 0x1b;
const tilde = 0x7e;
const escapes = new RegExp(`${String.fromCharCode(escapeByte)}(?:\\$[@B]|\\([IJ])`);
// Four common characters of GB 2312 in a row: their first bytes are no small letters.
const hz = /~\{(?:[!-W][!-~]){4,}~\}/;
const maxEscapes = 64 * 1024;
// Shares of the characters beyond ASCII.
const maxOdd = 0.1;
const maxOddOfFew = 0.5;
const maxUndecoded = 0.03;
const fewBytes = 2;
const someBytes = 6;

/** What the bytes of a text say of its charset. */
class BytesSay {
  readonly #bytes: Uint8Array;
  readonly #order: 'utf-16le' | 'utf-16be' | undefined;
  readonly #utf8: boolean;
  #evidence: Buffer | undefined;
  #detected: string | null | undefined;

  constructor(bytes: Uint8Array, order: 'utf-16le' | 'utf-16be' | undefined) {
    this.#bytes = bytes;
    this.#order = order;
    this.#utf8 = order === undefined && isWholeUtf8(bytes);
  }

  get evidence(): Buffer {
    this.#evidence ??= evidenceOf(this.#bytes);
    return this.#evidence;
  }

  get detected(): string | undefined {
    if (this.#detected === undefined) this.#detected = detectedCharset(this.#bytes) ?? null;
    return this.#detected ?? undefined;
  }

  /** Whether a text in this charset would not have these bytes. */
  refute(charset: string): boolean {
    if (charset === 'utf-8') return !this.#utf8 || this.#escaped() !== undefined;
    if (/^utf-16/.test(charset)) return this.#order !== charset;
    if (this.#order !== undefined) return true;
    if (/^iso-2022-|^hz/.test(charset)) return this.#escaped() !== charset;
    const text = decodeAs(this.evidence, charset);
    const beyond = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
    if (beyond === 0) return this.#utf8;
    const odd = oddity(text);
    // A few letters of GBK and EUC can be UTF-8 by chance: characters of two bytes that make no words.
    if (this.#utf8)
      return (
        !isEastAsian(charset) ||
        this.evidence.some((byte) => byte >= 0xe0) ||
        oddity(decodeAs(this.evidence, 'utf-8')) === 0
      );
    if (!isEastAsian(charset) && mostlyUtf8(this.evidence) !== undefined) return true;
    const undecoded = text.match(/\ufffd/g)?.length ?? 0;
    if (undecoded > maxUndecoded * beyond) return true;
    if (charset === 'windows-1252' && this.#isOtherThanLatin(text, beyond)) return true;
    return odd > (beyond >= someBytes ? maxOdd : maxOddOfFew) * beyond;
  }

  #escaped(): string | undefined {
    return isAscii(this.#bytes) ? escapedCharset(this.#bytes) : undefined;
  }

  // Many servers and programs label everything as ISO-8859-1.
  #isOtherThanLatin(text: string, beyond: number): boolean {
    if (beyond < fewBytes) return false;
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const inWords = text.match(/[\xa0-\xff\u0152-\u0192]{3,}/g)?.join('').length ?? 0;
    if (beyond > 0.5 * letters || inWords > 0.5 * beyond) return true;
    if (this.detected === 'macintosh' || this.detected === 'cp850')
      return oddity(decodeAs(this.evidence, this.detected)) < oddity(text);
    return this.detected !== undefined && this.detected !== 'windows-1252';
  }

  /** A text with few UTF-8 characters, if they make more sense than the charset that the statistics find. */
  #moreSensible(): string | undefined {
    const rescued = mostlyUtf8(this.evidence, 0);
    if (rescued === undefined) return undefined;
    const other = decodeAs(this.evidence, this.detected ?? 'windows-1252');
    return oddity(rescued) < oddity(other) ? mostlyUtf8(this.#bytes, 0) : undefined;
  }

  /** The text when no label decides. */
  decoded(): Omit<DecodedText, 'refuted'> {
    const bytes = this.#bytes;
    if (this.#order !== undefined) return decoded(bytes, this.#order, 'zero bytes of UTF-16');
    const escaped = this.#escaped();
    if (escaped !== undefined) return decoded(bytes, escaped, 'escape sequences');
    if (this.#utf8) return decoded(bytes, 'utf-8', 'valid UTF-8');
    const mostly = mostlyUtf8(bytes) ?? this.#moreSensible();
    if (mostly !== undefined) return { text: mostly, charset: 'utf-8', by: 'UTF-8 but for single lines' };
    if (this.detected !== undefined) return decoded(bytes, this.detected, 'statistics');
    return decoded(bytes, 'windows-1252', 'default');
  }
}

function decoded(bytes: Uint8Array, charset: string, by: CharsetRung): DecodedText {
  return { text: decodeAs(bytes, charset), charset, by, refuted: [] };
}

/** The charset of seven bits whose escape sequences a text has. */
function escapedCharset(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, maxEscapes);
  if (start.includes(escapeByte)) {
    const text = latin1(start);
    if (text.includes(koreanDesignator)) return 'iso-2022-kr';
    if (escapes.test(text)) return 'iso-2022-jp';
  }
  return start.includes(tilde) && hz.test(latin1(start)) ? 'hz-gb-2312' : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

const sampledBytes = 512;
// In every script one of so many characters is of ASCII: a space or a line end.
const rare = 16;
const printable = (byte: number) => byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === escapeByte;

/** The UTF-16 byte order, by its mark or by the zero bytes of ASCII letters. */
export function byteOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampledBytes);
  if (sample.length < 4 || !sample.includes(0)) return undefined;
  const ascii = { low: 0, high: 0 };
  let pairs = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const [first, second] = [sample[at] as number, sample[at + 1] as number];
    if (first !== 0 && second !== 0) {
      if (printable(first) && printable(second) && first < 0x7f && second < 0x7f) pairs++;
      continue;
    }
    // Numbers of two bytes have other small values than those of letters.
    if (!printable(first + second)) return undefined;
    ascii[first === 0 ? 'high' : 'low']++;
  }
  const units = sample.length >> 1;
  const found = ascii.low + ascii.high;
  // Pairs of letters are those of a text with single zero bytes.
  const isText = 2 * found >= units || (found * rare >= units && 2 * pairs <= units - found);
  if (!isText || found < 2 || (ascii.low > 0 && ascii.high > 0)) return undefined;
  return ascii.low > 0 ? 'utf-16le' : 'utf-16be';
}
