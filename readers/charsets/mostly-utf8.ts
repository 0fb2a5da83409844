import { isAscii, isUtf8 } from 'node:buffer';
import { decodeAs } from './decode-as.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const few = 20;
const sure = 4;

/** Whether the bytes are UTF-8, up to a character that a bound cut at the end. */
export function isWholeUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  // Where all else is ASCII, the last byte is a letter of another charset rather than a beginning.
  const before = withoutPartialCharacter(bytes);
  return before.length < bytes.length && isUtf8(before) && !isAscii(before);
}

/** Bytes without a UTF-8 character at their end of which the rest is missing, as where they were cut at a bound. */
export function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/**
 * A text in UTF-8 but for single lines or bytes, as a log to which somebody added a name in windows-1252: undefined
 * unless UTF-8 characters outnumber the bytes that are none. Lines in UTF-8 stay, and so do the UTF-8 characters of
 * a line that has more of them than other bytes; the rest is windows-1252.
 * @param manifold how many times as many characters a text with few of them must have
 */
export function mostlyUtf8(bytes: Uint8Array, manifold = sure): string | undefined {
  const whole = census(bytes);
  if (whole.characters <= whole.others) return undefined;
  // Text of an East Asian charset may have a few UTF-8 characters by chance.
  if (whole.characters < few && whole.characters <= whole.others * manifold) return undefined;
  const parts: string[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lineBreak = buffer.includes(lineFeed) ? lineFeed : carriageReturn;
  // Lines in UTF-8 that follow each other are decoded at once.
  let from = 0;
  for (let start = 0; start < buffer.length; ) {
    const found = buffer.indexOf(lineBreak, start);
    const end = found < 0 ? buffer.length : found + 1;
    const line = buffer.subarray(start, end);
    if (!isUtf8(line)) {
      parts.push(buffer.toString('utf8', from, start));
      const { characters, others } = census(line);
      parts.push(characters > others ? byCharacters(line) : decodeAs(line, 'windows-1252'));
      from = end;
    }
    start = end;
  }
  parts.push(buffer.toString('utf8', from));
  return parts.join('');
}

/** The characters of several bytes, and the bytes above ASCII that belong to none. */
function census(bytes: Uint8Array): { readonly characters: number; readonly others: number } {
  let characters = 0;
  let others = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = (bytes[at] as number) < 0x80 ? 1 : characterAt(bytes, at);
    if (length === 0) others++;
    else if (length > 1) characters++;
    at += length || cutCharacter(bytes, at);
  }
  return { characters, others };
}

/** The length of the UTF-8 character of several bytes at a place (RFC 3629); 0 when there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const second = bytes[at + 1] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  for (let next = at + 1; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  const overlong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90);
  return overlong || (lead === 0xed && second > 0x9f) || (lead === 0xf4 && second > 0x8f) ? 0 : length;
}

function byCharacters(line: Buffer): string {
  let text = '';
  let from = 0;
  for (let at = 0; at < line.length; ) {
    const length = (line[at] as number) < 0x80 ? 1 : characterAt(line, at);
    if (length === 0) {
      // The beginning of a character that was cut is none of windows-1252.
      const cut = cutCharacter(line, at);
      text += line.toString('utf8', from, at);
      text += cut > 1 ? '\ufffd' : decodeAs(line.subarray(at, at + 1), 'windows-1252');
      from = at + cut;
      at = from;
    } else at += length;
  }
  return text + line.toString('utf8', from);
}

function cutCharacter(line: Uint8Array, at: number): number {
  const lead = line[at] as number;
  if (lead < 0xe0 || lead > 0xf4) return 1;
  let end = at + 1;
  while (end < at + 3 && end < line.length && ((line[end] as number) & 0xc0) === 0x80) end++;
  return end - at;
}
