import { hashOf, spread } from './word-hash.ts';

/** ASCII signs, looked up by their bytes, in an open hash table that is at most a quarter full. */
export class SignTable<Sign> {
  readonly #mask: number;
  readonly #signs: (Sign | undefined)[];
  readonly #texts: Buffer[];
  readonly #hashes: Int32Array;

  constructor(signs: ReadonlyMap<string, Sign>) {
    const size = 2 ** Math.ceil(Math.log2(4 * signs.size + 1));
    this.#mask = size - 1;
    this.#signs = new Array<undefined>(size).fill(undefined);
    this.#texts = new Array<Buffer>(size).fill(Buffer.alloc(0));
    this.#hashes = new Int32Array(size);
    for (const [text, sign] of signs) {
      const bytes = Buffer.from(text);
      const hash = hashOf(bytes, 0, bytes.length);
      let place = spread(hash) & this.#mask;
      while (this.#signs[place] !== undefined) place = (place + 1) & this.#mask;
      this.#signs[place] = sign;
      this.#texts[place] = bytes;
      this.#hashes[place] = hash;
    }
  }

  /** The sign in the bytes `from` to before `end`, by its hash. */
  find(bytes: Uint8Array, from: number, end: number, hash: number): Sign | undefined {
    for (let place = spread(hash) & this.#mask; ; place = (place + 1) & this.#mask) {
      const sign = this.#signs[place];
      if (sign === undefined) return undefined;
      if (this.#hashes[place] === hash && isAt(this.#texts[place] as Buffer, bytes, from, end)) return sign;
    }
  }
}

function isAt(text: Uint8Array, bytes: Uint8Array, from: number, end: number): boolean {
  if (text.length !== end - from) return false;
  for (let at = 0; at < text.length; at++) if (text[at] !== bytes[from + at]) return false;
  return true;
}
