const utf8 = new TextDecoder('utf-8');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A document's bytes as text. The first of these decides: a byte order mark, the HTTP header's charset, the
 * document's declaration, zero bytes that indicate UTF-16, UTF-8 if the bytes are valid, windows-1252. An
 * unknown charset is ignored. Bytes without a character become U+FFFD; this never throws.
 */
export function decodeText(bytes: Uint8Array, header?: string, declared?: string): string {
  const order = byteOrder(bytes);
  const marked = order !== undefined && bytes[0] !== 0 && bytes[1] !== 0;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return utf8.decode(bytes);
  if (order !== undefined && marked) return new TextDecoder(order).decode(bytes);
  for (const label of [header, declared]) {
    const decode = label === undefined ? undefined : decoderFor(label);
    if (decode !== undefined) return decode(bytes);
  }
  if (order !== undefined) return new TextDecoder(order).decode(bytes);
  try {
    return strictUtf8.decode(withoutPartialCharacter(bytes));
  } catch {
    return decodeWindows1252(bytes);
  }
}

type Decode = (bytes: Uint8Array) => string;

function decoderFor(label: string): Decode | undefined {
  if (/^utf-?8$/i.test(label)) return (bytes) => utf8.decode(bytes);
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === 'windows-1252' ? decodeWindows1252 : (bytes) => decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

// 0x80 to 0x9f. The decoder of Node 20 reads them as Latin-1's control characters.
const windows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));
}

// A document cut at a bound may end within a character, which does not show its encoding.
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

const declarationBytes = 1024;

/**
 * The charset declared in the first 1024 bytes of an HTML document (HTML standard 13.2.3.2, without its full
 * pre-scan): a `meta` element or the XML declaration. A declared UTF-16 means UTF-8, since the declaration
 * was readable as ASCII.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, declarationBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:+-]{1,40})/i.exec(start)?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** The UTF-16 byte order, by its mark or by the zero bytes of ASCII letters. */
export function byteOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (fourth === undefined) return undefined;
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return undefined;
}
