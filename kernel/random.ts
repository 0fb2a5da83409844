import { randomBytes } from 'node:crypto';

/** Chance as a parameter. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** `length` random bytes. */
  bytes(length: number): Uint8Array;
}

/** Cryptographic randomness from the machine. */
export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/** A repeatable source (mulberry32) for tests and simulations; never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)) };
}
