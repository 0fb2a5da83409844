import { ByteView } from '../bytes/index.ts';

const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const endLength = 22;

/**
 * The directory of a zip archive of which only the ends are there, as an archive without contents; undefined when the
 * directory is not whole in the end. `head`: bytes of the beginning; `size`: bytes of the whole archive.
 */
export function zipDirectoryOfEnds(bytes: Uint8Array, head: number, size: number): Uint8Array | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + head, bytes.length - head);
  const at = tail.lastIndexOf(endSignature);
  if (at < 0 || at + endLength > tail.length) return undefined;
  const directory = new ByteView(tail, true);
  const [length, offset] = [directory.u32(at + 12), directory.u32(at + 16)];
  // Offsets in the archive are those of the whole.
  const start = offset - (size - tail.length);
  if (start < 0 || start + length > at) return undefined;
  const listed = Buffer.from(tail.subarray(start));
  listed.writeUInt32LE(0, at - start + 16);
  return listed;
}
