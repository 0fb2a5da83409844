import { wordOf } from '../../query/index.ts';

// Longer words are cut, which is not done here.
const longest = 48;
/** Places looked at for one word: a text made of words that collide is read the slower way. */
const mostTries = 64;

/**
 * Numbers of ASCII words, looked up where they stand in a text: no string is made of a word that is known. Letters
 * count without case. An open hash table, at most half full.
 */
export class WrittenWords {
  /** For each place of the table the number of an entry, plus 1; 0: free. */
  #places = new Int32Array(4096);
  #hashes = new Int32Array(2048);
  #ends = new Uint32Array(2049);
  #values = new Int32Array(2048);
  #count = 0;
  #characters = new Uint8Array(16 * 1024);

  /** The number of the word from `start` to `end`; a new one is asked of `make`. */
  number(text: string, start: number, end: number, make: (word: string) => number): number {
    const length = end - start;
    if (length > longest) return make(wordOf(text.slice(start, end)));
    if (this.#count === this.#values.length) this.#grow();
    let hash = length;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ lowered(text.charCodeAt(at)), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#places.length - 1;
    for (let tries = 0; tries < mostTries; tries++) {
      const place = (hash + tries) & mask;
      const entry = (this.#places[place] as number) - 1;
      if (entry < 0) {
        this.#places[place] = this.#count + 1;
        return this.#add(text, start, end, hash, make);
      }
      if (this.#hashes[entry] === hash && this.#stands(entry, text, start, length))
        return this.#values[entry] as number;
    }
    return make(wordOf(text.slice(start, end)));
  }

  #stands(entry: number, text: string, start: number, length: number): boolean {
    const from = this.#ends[entry] as number;
    if ((this.#ends[entry + 1] as number) - from !== length) return false;
    for (let at = 0; at < length; at++)
      if (this.#characters[from + at] !== lowered(text.charCodeAt(start + at))) return false;
    return true;
  }

  #add(text: string, start: number, end: number, hash: number, make: (word: string) => number): number {
    const entry = this.#count++;
    let at = this.#ends[entry] as number;
    if (at + longest > this.#characters.length) {
      const larger = new Uint8Array(this.#characters.length * 2);
      larger.set(this.#characters);
      this.#characters = larger;
    }
    for (let from = start; from < end; from++) this.#characters[at++] = lowered(text.charCodeAt(from));
    this.#ends[entry + 1] = at;
    this.#hashes[entry] = hash;
    const value = make(wordOf(text.slice(start, end)));
    this.#values[entry] = value;
    return value;
  }

  /** Twice as large, every entry in its new place. */
  #grow(): void {
    const size = this.#values.length * 2;
    const [hashes, ends, values] = [new Int32Array(size), new Uint32Array(size + 1), new Int32Array(size)];
    hashes.set(this.#hashes);
    ends.set(this.#ends);
    values.set(this.#values);
    [this.#hashes, this.#ends, this.#values] = [hashes, ends, values];
    this.#places = new Int32Array(size * 2);
    const mask = this.#places.length - 1;
    for (let entry = 0; entry < this.#count; entry++) {
      let place = (hashes[entry] as number) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = entry + 1;
    }
  }
}

const lowered = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);
