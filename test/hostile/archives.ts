// Archives that lie, nest and overlap, byte by byte: no tool would make them.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const mebibyte = 1024 * 1024;

interface ZipMember {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  /** Offset of its local header; absent: at its own place. */
  readonly at?: number;
}

function zipMember(name: string, content: Uint8Array): ZipMember {
  return { name, packed: deflateRawSync(content), size: content.length, crc: crc32(content) };
}

/** A zip archive by its directory (APPNOTE 4.3), overlaps included. */
function zipOf(members: readonly ZipMember[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let length = 0;
  for (const { name, packed, size, crc, at } of members) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    fields.copy(entry, 6);
    entry.writeUInt32LE(at ?? length, 42);
    directory.push(entry, Buffer.from(name));
    if (at !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    parts.push(local);
    length += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(length, 16);
  return Buffer.concat([...parts, central, end]);
}

const readme = Buffer.from('The sibling of what is hostile, with words to be found.\n');

/** A thousand members that share the same 60 MiB of zeros, and a plain one. */
export function overlappingZip(): Buffer {
  const zeros = zipMember('zeros', Buffer.alloc(60 * mebibyte));
  const laid = Array.from({ length: 1000 }, (_, n) => ({ ...zeros, name: `laid${n}`, at: 0 }));
  return zipOf([zeros, ...laid, zipMember('README', readme)]);
}

/** Sixteen in each of five levels, four MiB of zeros in the innermost: four TiB. */
export function nestedZip(): Buffer {
  let layer: Buffer = Buffer.alloc(4 * mebibyte);
  for (let level = 0; level < 5; level++) {
    const packed = zipMember('', layer);
    const extension = level === 0 ? 'txt' : 'zip';
    const sixteen = Array.from({ length: 16 }, (_, n) => ({ ...packed, name: `inner${n}.${extension}` }));
    layer = zipOf(level === 4 ? [...sixteen, zipMember('README', readme)] : sixteen);
  }
  return layer;
}

/** One text in ten thousand gzip wrappers. */
export function deepGzip(): Buffer {
  let nest: Buffer = readme;
  for (let depth = 0; depth < 10_000; depth++) nest = gzipSync(nest, { level: 0 });
  return nest;
}

/** A ustar entry (POSIX.1-1988): '0' is a file, '1' a hard link, '2' a symbolic one. */
function tarEntry(name: string, type: '0' | '1' | '2', target = '', content = readme): Buffer {
  const bytes = type === '0' ? content : Buffer.alloc(0);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\x000000000\x000000000\x00', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\x00`, 124);
  header.write('00000000000\x00        ', 136);
  header.write(type, 156);
  header.write(target, 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\x00 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** Names and links that leave the archive, and one README between them. */
export function climbingTar(): Buffer {
  return Buffer.concat([
    tarEntry('../../etc/passwd', '0'),
    tarEntry('/etc/passwd', '0'),
    tarEntry('down/../../up', '0'),
    tarEntry('soft', '2', '/etc/passwd'),
    tarEntry('hard', '1', '../../etc/passwd'),
    tarEntry('docs/README', '0'),
    Buffer.alloc(1024),
  ]);
}
