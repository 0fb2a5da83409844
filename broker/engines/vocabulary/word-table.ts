import { spread } from '../../../query/index.ts';

/** Max places tried for one word. Words that collide more are looked up the slower way. */
const maxTries = 64;

/** Numbers of words, 0, 1, 2 ..., looked up by their bytes. An open hash table, at most half full. */
export class WordTable {
  /** For each place of the table the number of a word, plus 1; 0: free. */
  #places = new Int32Array(4096);
  #hashes = new Int32Array(2048);
  /** The start of each word's bytes, and the end of the last one's. */
  #starts = new Uint32Array(2049);
  #bytes = new Uint8Array(16 * 1024);
  #size = 0;
  /** Words without a place, by their bytes as characters. */
  readonly #strayed = new Map<string, number>();

  get size(): number {
    return this.#size;
  }

  /** The number of the word in the first `length` bytes of `word`, or -1; `hash` is that of `hashed`. */
  find(word: Uint8Array, length: number, hash: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    for (let place = spread(hash), tries = 0; tries < maxTries; place++, tries++) {
      const number = (places[place & mask] as number) - 1;
      if (number < 0) return -1;
      if (this.#hashes[number] === hash && this.#isAt(number, word, length)) return number;
    }
    return this.#strayed.get(characters(word.subarray(0, length))) ?? -1;
  }

  /** The number of a word that `find` does not know. */
  add(word: Uint8Array, length: number, hash: number): number {
    if (this.#size === this.#hashes.length) this.#grow();
    const number = this.#size++;
    const start = this.#starts[number] as number;
    if (start + length > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2 + length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(word.subarray(0, length), start);
    this.#starts[number + 1] = start + length;
    this.#hashes[number] = hash;
    this.#place(number);
    return number;
  }

  #isAt(number: number, word: Uint8Array, length: number): boolean {
    const bytes = this.#bytes;
    const start = this.#starts[number] as number;
    if ((this.#starts[number + 1] as number) - start !== length) return false;
    for (let at = 0; at < length; at++) if (bytes[start + at] !== word[at]) return false;
    return true;
  }

  #place(number: number): void {
    const mask = this.#places.length - 1;
    const first = spread(this.#hashes[number] as number);
    for (let place = first; place < first + maxTries; place++) {
      if (this.#places[place & mask] !== 0) continue;
      this.#places[place & mask] = number + 1;
      return;
    }
    this.#strayed.set(
      characters(this.#bytes.subarray(this.#starts[number], this.#starts[number + 1])),
      number,
    );
  }

  /** Double the table, with every word in its new place. */
  #grow(): void {
    const size = this.#hashes.length * 2;
    const [hashes, starts] = [new Int32Array(size), new Uint32Array(size + 1)];
    hashes.set(this.#hashes);
    starts.set(this.#starts);
    [this.#hashes, this.#starts] = [hashes, starts];
    this.#places = new Int32Array(size * 2);
    this.#strayed.clear();
    for (let number = 0; number < this.#size; number++) this.#place(number);
  }
}

const characters = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
