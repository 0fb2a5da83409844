import { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';

const clearCode = 256;
const outputBytes = 64 * 1024;
// A code stands for at most as many bytes as there are codes.
const maxCodes = 1 << 16;

/**
 * Unpack the format of compress(1), `.Z`: LZW with codes of 9 to 16 bits, least significant bit first. Codes stand
 * in groups of eight of one width, and a change of width or a clear code skips the rest of its group.
 * @throws CorruptData, after all that could be read was yielded; the format has no checksum and no end mark.
 */
export function* lzw(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length < 3) throw new CorruptData(cutShort);
  const flags = bytes[2] ?? 0;
  const maxBits = flags & 0x1f;
  const blockMode = (flags & 0x80) !== 0;
  if (maxBits < 9 || maxBits > 16) throw new UnreadVariant(`it uses codes of ${maxBits} bits`);

  const prefixes = new Uint16Array(maxCodes);
  const suffixes = new Uint8Array(maxCodes);
  const expansion = new Uint8Array(maxCodes + 1);
  let output = new Uint8Array(outputBytes);
  let filled = 0;

  const endBit = bytes.length * 8;
  let bit = 24;
  let groupStart = bit;
  let width = 9;
  let nextCode = blockMode ? 257 : 256;
  let widthEnds = (1 << width) - 1;
  let previous = -1;
  let first = 0;

  const alignToGroup = () => {
    const group = width * 8;
    bit = groupStart + Math.ceil((bit - groupStart) / group) * group;
    groupStart = bit;
  };

  while (true) {
    if (nextCode > widthEnds && width < maxBits) {
      alignToGroup();
      width++;
      widthEnds = width === maxBits ? 1 << maxBits : (1 << width) - 1;
    }
    if (bit + width > endBit) break;
    const at = bit >> 3;
    const window = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    let code = (window >>> (bit & 7)) & ((1 << width) - 1);
    bit += width;

    if (previous < 0) {
      if (code > 255) {
        if (filled > 0) yield output.subarray(0, filled);
        throw new CorruptData('its first code stands for nothing');
      }
      first = code;
      previous = code;
      output[filled++] = code;
      continue;
    }
    if (code === clearCode && blockMode) {
      // Widths start anew; the entry that the next code makes takes the place of the clear code and is never used.
      nextCode = clearCode;
      alignToGroup();
      width = 9;
      widthEnds = (1 << width) - 1;
      continue;
    }
    const whole = code;
    let at16 = maxCodes;
    if (code >= nextCode) {
      if (code > nextCode) {
        if (filled > 0) yield output.subarray(0, filled);
        throw new CorruptData('a code in it stands for nothing');
      }
      expansion[at16--] = first;
      code = previous;
    }
    while (code > 255) {
      expansion[at16--] = suffixes[code] ?? 0;
      code = prefixes[code] ?? 0;
    }
    first = code;
    expansion[at16] = first;
    const length = maxCodes + 1 - at16;
    if (filled + length > output.length) {
      if (filled > 0) yield output.subarray(0, filled);
      output = new Uint8Array(Math.max(outputBytes, length));
      filled = 0;
    }
    output.set(expansion.subarray(at16), filled);
    filled += length;
    if (nextCode < 1 << maxBits) {
      prefixes[nextCode] = previous;
      suffixes[nextCode] = first;
      nextCode++;
    }
    previous = whole;
  }
  if (filled > 0) yield output.subarray(0, filled);
}
