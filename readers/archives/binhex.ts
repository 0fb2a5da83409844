import { decodeAs, NameDecoder } from '../charsets/index.ts';
import { CorruptData, cutShort } from '../compression/index.ts';
import { type ArchiveEntry, heldBytes, TooLarge } from './archive-entry.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { latin1 } from './uuencode.ts';

const alphabet = '!"#$%&\'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr';
const repeatMark = 0x90;
const maxNameBytes = 63;

/** The line before a BinHex part. */
export const binhexMark = '(This file must be converted';

const values = new Int8Array(128).fill(-1);
for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;

/**
 * The file in a BinHex 4.0 text (RFC 1741 appendix A): its data fork. The resource fork is ignored, since
 * only an old Macintosh can use it. The checksums of the header and of the data fork are verified.
 * @param max bytes that the text may unpack to
 * @throws CorruptData, or TooLarge
 */
export function* binhexEntries(bytes: Uint8Array, max: number): Generator<ArchiveEntry> {
  const text = latin1(bytes);
  const begin = text.indexOf(':', Math.max(0, text.indexOf(binhexMark)));
  const end = text.indexOf(':', begin + 1);
  if (begin < 0 || end < 0) throw new CorruptData(cutShort);
  const content = unrepeated(sixBits(text, begin + 1, end), max);
  const nameBytes = content[0] ?? 0;
  const headerEnd = nameBytes + 20;
  if (nameBytes === 0 || nameBytes > maxNameBytes || headerEnd + 2 > content.length)
    throw new CorruptData('its header is damaged');
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (view.getUint16(headerEnd) !== crc16(content.subarray(0, headerEnd)))
    throw new CorruptData('a checksum in it is wrong');
  const size = view.getUint32(nameBytes + 12);
  const start = headerEnd + 2;
  if (start + size + 2 > content.length) throw new CorruptData(cutShort);
  const data = content.subarray(start, start + size);
  if (view.getUint16(start + size) !== crc16(data)) throw new CorruptData('a checksum in it is wrong');
  const name = new NameDecoder((bytes) => decodeAs(bytes, 'macintosh')).decode(
    content.subarray(1, 1 + nameBytes),
  );
  // A slash is a plain letter in a name of that machine.
  yield { name: name.replaceAll('/', ':'), size, read: heldBytes(data) };
}

function sixBits(text: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor(((to - from) * 3) / 4));
  let filled = 0;
  let held = 0;
  let count = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13 || code === 32 || code === 9) continue;
    const value = values[code] ?? -1;
    if (value < 0) throw new CorruptData('it has a character that BinHex does not use');
    held = ((held << 6) | value) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[filled++] = held >> count;
    }
  }
  return bytes.subarray(0, filled);
}

// A byte, the mark and a count mean that many copies; the mark and zero mean the mark itself.
function unrepeated(bytes: Uint8Array, max: number): Uint8Array {
  const content = new GrowingBytes();
  const add = (part: Uint8Array) => {
    if (content.length + part.length > max) throw new TooLarge(max);
    content.add(part);
  };
  let start = 0;
  let last = 0;
  for (let mark = bytes.indexOf(repeatMark); mark >= 0; mark = bytes.indexOf(repeatMark, start)) {
    add(bytes.subarray(start, mark));
    if (mark > start) last = bytes[mark - 1] as number;
    const count = bytes[mark + 1] ?? 0;
    if (count === 0) {
      last = repeatMark;
      add(Uint8Array.of(repeatMark));
    } else add(new Uint8Array(count - 1).fill(last));
    start = mark + 2;
  }
  add(bytes.subarray(start));
  return content.bytes;
}

// CRC-16 of CCITT, as over the bytes and two zeros, begun at zero.
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc & 0xffff;
}
