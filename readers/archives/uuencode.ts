import { NameDecoder } from '../charsets/index.ts';
import { CorruptData, cutShort } from '../compression/index.ts';
import { type ArchiveEntry, brokenEntry, DistinctNames, heldBytes } from './archive-entry.ts';
import { GrowingBytes } from './growing-bytes.ts';

const beginning = /^begin(-base64)? ([0-7]{3,4}) (\S.*)$/;

/** One uuencoded part: its name, and its bytes as far as they could be read. */
export interface UuencodedPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether its end mark was there. */
  readonly whole: boolean;
}

/**
 * The uuencoded parts of a text, in the classic form and as base64 (POSIX `uuencode -m`), with any text
 * around them. A part without an end line ends where the next begins.
 */
export function* uuencodedParts(text: string): Generator<UuencodedPart> {
  let open: { name: string; base64: boolean; content: GrowingBytes } | undefined;
  for (const { line } of lines(text)) {
    // No packed line matches this: the classic form has no lower-case letters, base64 no spaces.
    const found = beginning.exec(line.length > 4200 ? '' : line);
    if (found?.[3] !== undefined) {
      if (open !== undefined) yield { name: open.name, bytes: open.content.bytes, whole: false };
      open = { name: nameOf(found[3]), base64: found[1] !== undefined, content: new GrowingBytes() };
      continue;
    }
    if (open === undefined) continue;
    if (line === (open.base64 ? '====' : 'end')) {
      yield { name: open.name, bytes: open.content.bytes, whole: true };
      open = undefined;
    } else if (open.base64) open.content.add(Buffer.from(line, 'base64'));
    else addUudecoded(line, open.content);
  }
  if (open !== undefined) yield { name: open.name, bytes: open.content.bytes, whole: false };
}

const armour = /^-----(BEGIN|END) PGP [A-Z ]{1,40}-----$/;

const armoured = /^[A-Za-z\d+/=]*$|^[A-Z][A-Za-z-]{1,30}: /;

/**
 * A text without what is encoded in it: uuencoded parts, also pieces without a beginning or an end, yEnc, and the
 * armour of PGP. Of a signed text the text stays.
 */
export function withoutEncoded(text: string): string {
  if (!/^(?:begin(?:-base64)? [0-7]{3,4} |=ybegin |M[ -`]{60}\r?$|-----BEGIN PGP )/m.test(text)) return text;
  const kept: string[] = [];
  const all = [...lines(text)].map(({ line }) => line);
  let inside: 'uu' | 'base64' | 'yenc' | 'pgp' | undefined;
  for (const [at, line] of all.entries()) {
    const begun = beginning.exec(line.length > 4200 ? '' : line);
    const next = all[at + 1] ?? '';
    const pgp = armour.exec(line);
    if (begun?.[1] !== undefined) inside = 'base64';
    else if (begun !== null && (isPacked(next) || next === 'end')) inside = 'uu';
    else if (line.startsWith('=ybegin ')) inside = 'yenc';
    else if (pgp !== null) {
      const signed = line.includes(' SIGNED MESSAGE');
      inside = pgp[1] === 'BEGIN' && !signed ? 'pgp' : undefined;
    } else if (inside === undefined && /^M[ -`]{60}$/.test(line) && /^M[ -`]{60}$/.test(next)) inside = 'uu';
    else if (inside === 'uu' && !isPacked(line)) {
      inside = undefined;
      if (line !== 'end') kept.push(line);
    } else if (inside === undefined) {
      if (!line.startsWith('Hash: ') || !all[at - 1]?.includes('BEGIN PGP SIGNED')) kept.push(line);
    } else if (inside === 'base64' && line === '====') inside = undefined;
    else if ((inside === 'base64' || inside === 'pgp') && !armoured.test(line)) {
      inside = undefined;
      kept.push(line);
    } else if (inside === 'yenc' && line.startsWith('=yend ')) inside = undefined;
  }
  return kept.join('\n');
}

/** Whether a line has the length that its first character says; spaces at its end may be missing. */
function isPacked(line: string): boolean {
  if (line === '`' || line === ' ') return true;
  const bytes = (line.charCodeAt(0) - 32) & 63;
  const packed = 1 + Math.ceil(bytes / 3) * 4;
  return bytes > 0 && /^[ -`]+$/.test(line) && line.length <= packed + 3 && line.length > packed - 8;
}

/** A document's uuencoded parts as entries; without an end line: broken. @throws CorruptData for none */
export function* uuencodedEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  const names = new DistinctNames();
  let found = false;
  for (const part of uuencodedParts(latin1(bytes))) {
    found = true;
    const name = names.of(part.name);
    yield part.whole
      ? { name, size: part.bytes.length, read: heldBytes(part.bytes) }
      : brokenEntry(name, cutShort);
  }
  if (!found) throw new CorruptData('nothing in it is uuencoded');
}

// The text is in Latin-1 so far, as it came.
function nameOf(written: string): string {
  return new NameDecoder().decode(Buffer.from(written.trim(), 'latin1'));
}

/** Bytes as text of the same length. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

// A line begins with its number of bytes, then has four characters of six bits for every three bytes; spaces
// at its end may be missing.
function addUudecoded(line: string, content: GrowingBytes): void {
  const length = line === '' ? 0 : (line.charCodeAt(0) - 32) & 63;
  const bytes = content.extend(length);
  for (let at = 0, from = 1; at < length; at += 3, from += 4) {
    const word =
      (six(line, from) << 18) |
      (six(line, from + 1) << 12) |
      (six(line, from + 2) << 6) |
      six(line, from + 3);
    bytes[at] = word >>> 16;
    if (at + 1 < length) bytes[at + 1] = word >>> 8;
    if (at + 2 < length) bytes[at + 2] = word;
  }
}

function six(line: string, at: number): number {
  return at < line.length ? (line.charCodeAt(at) - 32) & 63 : 0;
}

/** The lines of a text, without their ends (`\n`, `\r\n` or `\r`), each with its offset, one at a time. */
export function* lines(text: string, from = 0): Generator<{ readonly line: string; readonly at: number }> {
  const end = /\r\n?|\n/g;
  let at = from;
  while (at < text.length) {
    end.lastIndex = at;
    const match = end.exec(text);
    if (match === null) {
      yield { line: text.slice(at), at };
      return;
    }
    yield { line: text.slice(at, match.index), at };
    at = end.lastIndex;
  }
}
