import { NameDecoder } from '../charsets/index.ts';
import { CorruptData, cutShort } from '../compression/index.ts';
import { type ArchiveEntry, heldBytes } from './archive-entry.ts';

const magicBytes = 8;
const headerBytes = 60;

/**
 * The entries of an ar archive, as ar(1) makes libraries and dpkg-deb makes packages. Names are read in the
 * forms of System V (`name/`, `/12` into a table of long names) and of BSD (`#1/12`, the name before the
 * bytes); symbol tables are skipped. The members of a Debian package are its `control.tar` and `data.tar`.
 * @throws CorruptData where the archive is damaged; the entries before it are valid
 */
export function* arEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  const names = new NameDecoder();
  let longNames: Uint8Array = new Uint8Array(0);
  for (let at = magicBytes; at < bytes.length; ) {
    if (at + headerBytes > bytes.length) throw new CorruptData(cutShort);
    const header = Buffer.from(bytes.buffer, bytes.byteOffset + at, headerBytes).toString('latin1');
    if (!header.endsWith('`\n')) throw new CorruptData('the header of an ar entry is malformed');
    const size = decimal(header.slice(48, 58));
    if (size === undefined) throw new CorruptData('the size of a member is no number');
    const start = at + headerBytes;
    if (start + size > bytes.length) throw new CorruptData(cutShort);
    let content = bytes.subarray(start, start + size);
    // Members begin at even offsets.
    at = start + size + (size % 2);

    let name = header.slice(0, 16).trimEnd();
    if (name === '//') {
      longNames = content;
      continue;
    }
    const before = /^#1\/(\d{1,5})$/.exec(name)?.[1];
    const inTable = /^\/(\d{1,9})$/.exec(name)?.[1];
    if (before !== undefined) {
      name = names.decode(content.subarray(0, Number(before))).replace(/\0+$/, '');
      content = content.subarray(Number(before));
    } else if (inTable !== undefined) name = longName(longNames, Number(inTable), names);
    else if (name.length > 1 && name.endsWith('/') && name !== '/SYM64/') name = name.slice(0, -1);
    if (name === '/' || name === '/SYM64/' || name.startsWith('__.SYMDEF')) continue;
    const modified = decimal(header.slice(16, 28));
    yield {
      name,
      size: content.length,
      ...(modified === undefined || modified === 0 ? {} : { modified }),
      read: heldBytes(content),
    };
  }
}

function decimal(field: string): number | undefined {
  const digits = field.trim();
  return /^\d{1,12}$/.test(digits) ? Number(digits) : undefined;
}

function longName(table: Uint8Array, start: number, names: NameDecoder): string {
  const end = table.indexOf(0x0a, start);
  const name = table.subarray(start, end < 0 ? table.length : Math.min(end, start + 4096));
  return names.decode(name).replace(/\/$/, '');
}
