import { createDecipheriv } from 'node:crypto';

/** RC4, which OpenSSL no longer offers; it is its own inverse. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = new Uint8Array(256).map((_, at) => at);
  for (let at = 0, other = 0; at < 256; at++) {
    const value = state[at] ?? 0;
    other = (other + value + (key[at % key.length] ?? 0)) & 0xff;
    state[at] = state[other] ?? 0;
    state[other] = value;
  }
  const out = new Uint8Array(bytes.length);
  let first = 0;
  let second = 0;
  for (let at = 0; at < bytes.length; at++) {
    first = (first + 1) & 0xff;
    const value = state[first] ?? 0;
    second = (second + value) & 0xff;
    const swapped = state[second] ?? 0;
    state[first] = swapped;
    state[second] = value;
    out[at] = (bytes[at] ?? 0) ^ (state[(value + swapped) & 0xff] ?? 0);
  }
  return out;
}

/** AES in cipher block chaining; the first 16 bytes are the initial vector. Damaged padding is ignored. */
export function aes(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const whole = bytes.length - (bytes.length % 16);
  if (whole < 32) return new Uint8Array();
  const plain = aesBlocks(key, bytes.subarray(0, 16), bytes.subarray(16, whole));
  const padding = plain[plain.length - 1] ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain;
}

/** AES in cipher block chaining without padding; the key's length, 16 or 32, chooses the variant. */
export function aesBlocks(key: Uint8Array, vector: Uint8Array, bytes: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc', key, vector);
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}
