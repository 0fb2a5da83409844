import { CorruptData } from '../decoders/index.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { zipContent } from './zip-content.ts';

const headerBytes = 30;
const encrypted = 0x01;
const sizesFollow = 0x08;
const utf8Names = 0x800;

/**
 * The entries of a zip archive whose directory cannot be read, by the header before each (APPNOTE 4.3.7), as far as
 * they follow one another. Entries whose sizes stand behind them end the walk.
 */
export function* localEntries(bytes: Uint8Array, maxWindowBytes: number): Generator<ArchiveEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    if (view.getUint32(at, true) !== 0x04034b50) return;
    const flags = view.getUint16(at + 6, true);
    const method = view.getUint16(at + 8, true);
    const crc = view.getUint32(at + 14, true);
    const packedSize = view.getUint32(at + 18, true);
    const size = view.getUint32(at + 22, true);
    const nameEnd = at + headerBytes + view.getUint16(at + 26, true);
    const start = nameEnd + view.getUint16(at + 28, true);
    const end = start + packedSize;
    if (start > bytes.length || (flags & sizesFollow) !== 0) return;
    const rawName = Buffer.from(bytes.subarray(at + headerBytes, nameEnd));
    const name = rawName.toString((flags & utf8Names) === 0 ? 'latin1' : 'utf8');
    if (!name.endsWith('/')) {
      const packed = { method, bytes: bytes.subarray(start, end), size, crc };
      yield {
        name,
        size,
        ...((flags & encrypted) === 0 ? {} : { unread: 'it is encrypted' }),
        read: (most) =>
          end > bytes.length
            ? Promise.reject(new CorruptData('it ends early'))
            : zipContent(packed, most, maxWindowBytes),
      };
    }
    at = end;
  }
}
