import { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';

const clearCode = 256;
const endCode = 257;
const outputBytes = 64 * 1024;
// A code expands to at most as many bytes as there are codes.
const maxCodes = 1 << 16;

/** How a format writes LZW codes; each begins with codes of 9 bits. */
export interface LzwFormat {
  /** Whether a code begins in the lowest or in the highest bits of a byte. */
  readonly order: 'lowest' | 'highest';
  /** Bits of the longest code, 9 to 16. */
  readonly maxBits: number;
  /** The first code for a string: 256, 257 after a code that clears the table, 258 after one more for the end. */
  readonly firstCode: 256 | 257 | 258;
  /** Codes grow this many codes early: 1 in PDF and TIFF, 0 elsewhere. */
  readonly early: number;
  /** Whether a change of width and a clear code skip the rest of a group of eight codes. */
  readonly grouped: boolean;
}

/**
 * Unpack LZW codes, in pieces of at most 64 KiB; bits at the end that are fewer than a code are ignored.
 * @throws CorruptData at a code that the table does not have, after all bytes before it
 */
export function* lzw(
  bytes: Uint8Array,
  { order, maxBits, firstCode, early, grouped }: LzwFormat,
): Generator<Uint8Array> {
  const prefixes = new Uint16Array(maxCodes);
  const suffixes = new Uint8Array(maxCodes);
  const expansion = new Uint8Array(maxCodes + 1);
  let output = new Uint8Array(outputBytes);
  let filled = 0;

  const endBit = bytes.length * 8;
  let bit = 0;
  let groupStart = 0;
  let width = 9;
  let nextCode: number = firstCode;
  let previous = -1;
  let first = 0;

  const alignToGroup = () => {
    const group = width * 8;
    if (grouped) bit = groupStart + Math.ceil((bit - groupStart) / group) * group;
    groupStart = bit;
  };

  while (true) {
    if (nextCode + early >= 1 << width && width < maxBits) {
      alignToGroup();
      width++;
    }
    if (bit + width > endBit) break;
    const at = bit >> 3;
    const [b0 = 0, b1 = 0, b2 = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const shifted =
      order === 'lowest'
        ? (b0 | (b1 << 8) | (b2 << 16)) >>> (bit & 7)
        : ((b0 << 16) | (b1 << 8) | b2) >>> (24 - width - (bit & 7));
    let code = shifted & ((1 << width) - 1);
    bit += width;

    if (code === clearCode && firstCode > clearCode) {
      nextCode = firstCode;
      previous = -1;
      alignToGroup();
      width = 9;
      continue;
    }
    if (code === endCode && firstCode > endCode) break;
    const whole = code;
    let start = maxCodes;
    if (code > 255 && code >= nextCode) {
      // The next code may be used before it is complete: it ends with its own first byte.
      if (code > nextCode || previous < 0) {
        if (filled > 0) yield output.subarray(0, filled);
        throw new CorruptData('it has a code that is not in its table');
      }
      expansion[start--] = first;
      code = previous;
    }
    while (code > 255) {
      expansion[start--] = suffixes[code] ?? 0;
      code = prefixes[code] ?? 0;
    }
    first = code;
    expansion[start] = first;
    const length = maxCodes + 1 - start;
    if (filled + length > output.length) {
      if (filled > 0) yield output.subarray(0, filled);
      output = new Uint8Array(Math.max(outputBytes, length));
      filled = 0;
    }
    output.set(expansion.subarray(start), filled);
    filled += length;
    if (previous >= 0 && nextCode < 1 << maxBits) {
      prefixes[nextCode] = previous;
      suffixes[nextCode] = first;
      nextCode++;
    }
    previous = whole;
  }
  if (filled > 0) yield output.subarray(0, filled);
}

/**
 * Unpack the format of compress(1), `.Z`: three bytes of header, then LZW codes of 9 to 16 bits. The format has no
 * checksum and no end mark.
 * @throws CorruptData or UnreadVariant, after all bytes that could be read
 */
export function* uncompress(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length < 3) throw new CorruptData(cutShort);
  const flags = bytes[2] ?? 0;
  const maxBits = flags & 0x1f;
  if (maxBits < 9 || maxBits > 16) throw new UnreadVariant(`it uses codes of ${maxBits} bits`);
  const firstCode = (flags & 0x80) === 0 ? 256 : 257;
  yield* lzw(bytes.subarray(3), { order: 'lowest', maxBits, firstCode, early: 0, grouped: true });
}
