import { scanWords, stemOf, type TokenVisitor } from './analysis.ts';
import type { Language } from './languages.ts';
import { textHash } from './word-hash.ts';

const hashes = 65_536;
const firstRoom = 256;

function hashOf(stem: string): number {
  const hash = textHash(stem);
  return (hash ^ (hash >>> 16)) & (hashes - 1);
}

/** Stems as a table of tokens is asked for them. */
export class WantedTerms {
  readonly #wanted = new Uint8Array(hashes);

  constructor(stems: Iterable<string>) {
    for (const stem of stems) this.#wanted[hashOf(stem)] = 1;
  }

  has(hash: number): boolean {
    return this.#wanted[hash] === 1;
  }
}

/**
 * Where the tokens of a text begin, with a hash of each one's stem in the text's language: what finds terms in a text
 * without reading it again. 6 bytes a token. It belongs to the text it was made of.
 */
export class TokenTable {
  readonly #text: string;
  readonly #terms: Uint16Array;
  readonly #starts: Uint32Array;

  constructor(text: string, language: Language) {
    let terms = new Uint16Array(firstRoom);
    let starts = new Uint32Array(firstRoom);
    const count = scanWords(text, (word, position, start) => {
      if (position === terms.length) {
        const [oldTerms, oldStarts] = [terms, starts];
        terms = new Uint16Array(2 * position);
        terms.set(oldTerms);
        starts = new Uint32Array(2 * position);
        starts.set(oldStarts);
      }
      terms[position] = hashOf(stemOf(word, language));
      starts[position] = start;
      return false;
    });
    this.#text = text;
    this.#terms = terms.slice(0, count);
    this.#starts = starts.slice(0, count);
  }

  /** Visit the tokens whose terms are wanted, in order, and perhaps some others. */
  visit(wanted: WantedTerms, visit: TokenVisitor): void {
    const terms = this.#terms;
    for (let position = 0; position < terms.length; position++)
      if (wanted.has(terms[position] as number) && this.#visitOne(position, visit)) return;
  }

  /** Read one token again; nothing before its beginning decides what it is. */
  #visitOne(position: number, visit: TokenVisitor): boolean {
    const start = this.#starts[position] as number;
    // A character may stand for several, which make tokens with one beginning.
    let before = 0;
    while (before < position && this.#starts[position - before - 1] === start) before++;
    let ended = false;
    scanWords(this.#text.slice(start), (word, at, from, to, written) => {
      if (at < before) return false;
      ended = visit(word, position, start + from, start + to, written);
      return true;
    });
    return ended;
  }
}
