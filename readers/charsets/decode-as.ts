import { TextDecoder } from 'node:util';
import { furtherDecoders } from './further-charsets.ts';

// 0x80 to 0x9f. The decoder of Node 20 reads them as Latin-1's control characters.
const windows1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

// Where a document in the one has bytes that are control characters there, its writer meant the other: programs of
// Windows label so.
const inPractice: Readonly<Record<string, string>> = {
  'iso-8859-2': 'windows-1250',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-6': 'windows-1256',
  'iso-8859-13': 'windows-1257',
};

const decoders = new Map<string, TextDecoder>();
const marks = /^\ufeff+/;

/**
 * Bytes as text in a charset by its name in the Encoding standard, without looking further: for formats that say
 * exactly what their bytes mean. Also known are the code pages 437 and 850 of DOS, HZ and ISO-2022-KR. Windows' code
 * pages replace the ISO charsets that have control characters where the bytes have letters. Bytes without a character
 * become U+FFFD. Throws RangeError for another name.
 */
export function decodeAs(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (charset === 'windows-1252')
    return buffer
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (character) => windows1252.charAt(character.charCodeAt(0) - 0x80));
  const further = Object.hasOwn(furtherDecoders, charset) ? furtherDecoders[charset] : undefined;
  if (further !== undefined) return further(buffer);
  const other = inPractice[charset];
  const meant = other !== undefined && bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? other : charset;
  let decoder = decoders.get(meant);
  if (decoder === undefined) {
    decoder = new TextDecoder(meant);
    decoders.set(meant, decoder);
  }
  // Files that were put together may have several marks at their beginning.
  return decoder.decode(buffer).replace(marks, '');
}

/** The bytes that windows-1252 or Latin-1 would read as this text; undefined for a text with other characters. */
export function windows1252Bytes(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const place = code < 0x100 ? code : windows1252.indexOf(text.charAt(at)) + 0x80;
    if (place < 0x80 && code >= 0x100) return undefined;
    bytes[at] = place;
  }
  return bytes;
}

const oddities = new RegExp(
  [
    // no characters: control characters but NEL, private use
    /[\ufffd\x80-\x84\x86-\x9f\ue000-\uf8ff]/u,
    // a sign between letters, but for those that some language has in words
    /\p{L}(?=[^\p{L}\p{M}\p{N}\p{Pd}\p{Cf}\p{Z}\p{ASCII}‘’´·…\u3000-\u30ff\uff00-\uff60][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])/u,
    // a capital behind a small letter
    /\p{Ll}(?=\p{Lu})/u,
    // narrow kana before other Japanese letters
    /[\uff61-\uff9f](?=[\p{Script=Han}\p{Script=Hiragana}])/u,
    // words of two scripts
    /\p{Script=Latin}(?=[\p{Script=Cyrillic}\p{Script=Greek}])/u,
    /[\p{Script=Cyrillic}\p{Script=Greek}](?=\p{Script=Latin})/u,
    // a letter alone before a number, where © would be
    /(?<![\p{L}\d])[\u00c0-\u024f](?= ?\d)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/**
 * How much in a text no writer would have written, as in text decoded by a wrong charset: characters that are none,
 * signs and capitals inside words, words of two scripts. Counted are those with a character beyond ASCII.
 */
export function oddity(text: string): number {
  let count = 0;
  for (const { index, 0: found } of text.matchAll(oddities)) {
    const next = text.charCodeAt(index + found.length);
    if (found.charCodeAt(0) >= 0x80 || next >= 0x80) count++;
  }
  return count;
}
