import { createHash } from 'node:crypto';

/** A set of URLs in 12 bytes each: ten million 96-bit hashes collide with odds below 1 in 10^14. */
export class UrlSet {
  #table = new Uint32Array(1024 * 3);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(url: string): boolean {
    const [a, b, c] = fingerprint(url);
    return this.#table[this.#place(this.#table, a, b, c)] !== 0;
  }

  /** Add a URL; false when it was there before. */
  add(url: string): boolean {
    const [a, b, c] = fingerprint(url);
    const place = this.#place(this.#table, a, b, c);
    if (this.#table[place] !== 0) return false;
    this.#table.set([a, b, c], place);
    this.#size += 1;
    if (this.#size * 3 > (this.#table.length / 3) * 2) this.#grow();
    return true;
  }

  /** The place of these bits, or the free place for them. The first word of a used place is never 0. */
  #place(table: Uint32Array, a: number, b: number, c: number): number {
    const slots = table.length / 3;
    for (let slot = a % slots; ; slot = (slot + 1) % slots) {
      const at = slot * 3;
      if (table[at] === 0 || (table[at] === a && table[at + 1] === b && table[at + 2] === c)) return at;
    }
  }

  #grow(): void {
    const old = this.#table;
    const table = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      const [a = 0, b = 0, c = 0] = old.subarray(at, at + 3);
      if (a !== 0) table.set([a, b, c], this.#place(table, a, b, c));
    }
    this.#table = table;
  }
}

function fingerprint(url: string): [number, number, number] {
  const hash = createHash('sha256').update(url).digest();
  return [hash.readUInt32LE(0) || 1, hash.readUInt32LE(4), hash.readUInt32LE(8)];
}
