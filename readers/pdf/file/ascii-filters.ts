import { hexDigit } from './lexer.ts';

/** ASCIIHexDecode (ISO 32000 section 7.4.2): digits up to `>`; all else is skipped. */
export function decodeAsciiHex(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array((bytes.length + 1) >> 1);
  let length = 0;
  let half = -1;
  for (const byte of bytes) {
    if (byte === 0x3e) break;
    const digit = hexDigit(byte);
    if (digit < 0) continue;
    if (half < 0) half = digit;
    else {
      out[length++] = half * 16 + digit;
      half = -1;
    }
  }
  if (half >= 0) out[length++] = half * 16;
  return out.subarray(0, length);
}

/** ASCII85Decode (ISO 32000 section 7.4.3): groups of five up to `~>`; all else is skipped. */
export function decodeAscii85(bytes: Uint8Array): Uint8Array {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0x7a) zeros++;
  const out = new Uint8Array(bytes.length + zeros * 4 + 8);
  let length = 0;
  let group = 0;
  let digits = 0;
  const put = (value: number, count: number) => {
    for (let at = 0; at < count; at++) out[length++] = (value >>> (24 - 8 * at)) & 0xff;
  };
  for (const byte of bytes) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && digits === 0) put(0, 4);
    else if (byte >= 33 && byte <= 117) {
      group = group * 85 + (byte - 33);
      if (++digits < 5) continue;
      put(group >>> 0, 4);
      group = 0;
      digits = 0;
    }
  }
  if (digits > 1) {
    for (let fill = digits; fill < 5; fill++) group = group * 85 + 84;
    put(group >>> 0, digits - 1);
  }
  return out.subarray(0, length);
}

/** RunLengthDecode (ISO 32000 section 7.4.5), at most `max` bytes. */
export function decodeRunLength(bytes: Uint8Array, max: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < max; ) {
    const count = bytes[at++] ?? 128;
    if (count === 128) break;
    const part =
      count < 128 ? bytes.subarray(at, at + count + 1) : new Uint8Array(257 - count).fill(bytes[at] ?? 0);
    at += count < 128 ? count + 1 : 1;
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts).subarray(0, max);
}
