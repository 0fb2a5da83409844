import { isUtf8 } from 'node:buffer';
import { readdirSync, realpathSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { NameDecoder } from '../../../readers/charsets/index.ts';

// Names of files are bytes. In paths each byte that is not UTF-8 is a lone surrogate, U+DC80 to U+DCFF, so that a path is
// text and can still be opened (the way of PEP 383).
const alone = /[\u{dc80}-\u{dcff}]/u;
const everyAlone = /([\u{dc80}-\u{dcff}])/u;
const firstAlone = 0xdc00;
const sequences =
  /(?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|[\x80-\xff]/g;

/** The text of a name or path in a folder. */
export function textOfName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes.toString('latin1').replace(sequences, (found) => {
    const piece = Buffer.from(found, 'latin1');
    return isUtf8(piece) ? piece.toString() : String.fromCharCode(firstAlone + (piece[0] ?? 0));
  });
}

/** A path as the system takes it. */
export function osPath(path: string): string | Buffer {
  return alone.test(path) ? bytesOfName(path) : path;
}

function bytesOfName(name: string): Buffer {
  const pieces = name.split(everyAlone);
  return Buffer.concat(
    pieces.map((piece) =>
      alone.test(piece) ? Buffer.of(piece.charCodeAt(0) - firstAlone) : Buffer.from(piece),
    ),
  );
}

/** A name as people read it: bytes that are not UTF-8 by statistics, else as windows-1252. */
export function shownName(name: string): string {
  return alone.test(name) ? new NameDecoder().decode(bytesOfName(name)) : name;
}

/** A name as a segment of a URL; bytes that are not UTF-8 are percent-encoded as web servers serve them. */
export function encodedName(name: string): string {
  if (!alone.test(name)) return encodeURIComponent(name);
  return name
    .split(everyAlone)
    .map((piece) =>
      alone.test(piece)
        ? `%${(piece.charCodeAt(0) - firstAlone).toString(16).toUpperCase()}`
        : encodeURIComponent(piece),
    )
    .join('');
}

/** The name of a segment of a URL. Throws URIError for a stray `%`. */
export function decodedName(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (/%(?![\da-f]{2})/i.test(segment)) throw error;
    const bytes = segment.replace(/%(..)|[^%]+/g, (found, hex: string | undefined) =>
      hex === undefined
        ? Buffer.from(found).toString('latin1')
        : String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return textOfName(Buffer.from(bytes, 'latin1'));
  }
}

/** An entry of a folder. */
export interface FolderEntry {
  readonly name: string;
  isDirectory(): boolean;
}

const withNames = { withFileTypes: true, encoding: 'buffer' } as const;
const isDecoded = ({ name }: FolderEntry) => !name.includes('\ufffd');
const named = (entry: { readonly name: Buffer; isDirectory(): boolean }): FolderEntry => ({
  name: textOfName(entry.name),
  isDirectory: () => entry.isDirectory(),
});

/** The entries of a folder. */
export async function entriesIn(folder: string): Promise<readonly FolderEntry[]> {
  const path = osPath(folder);
  const found = await readdir(path, { withFileTypes: true });
  return found.every(isDecoded) ? found : (await readdir(path, withNames)).map(named);
}

/** The same synchronously. */
export function entriesInSync(folder: string): readonly FolderEntry[] {
  const path = osPath(folder);
  const found = readdirSync(path, { withFileTypes: true });
  return found.every(isDecoded) ? found : readdirSync(path, withNames).map(named);
}

/** A path without links. */
export async function realPath(path: string): Promise<string> {
  return textOfName(await realpath(osPath(path), { encoding: 'buffer' }));
}

/** The same synchronously. */
export function realPathSync(path: string): string {
  return textOfName(realpathSync.native(osPath(path), { encoding: 'buffer' }));
}
