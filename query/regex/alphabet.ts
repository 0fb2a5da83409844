import { type CharSet, contains } from './char-set.ts';
import { lineBreaks, wordClass } from './unicode-classes.ts';

/** The kinds of characters that an automaton distinguishes; `edge`: positions outside a text. */
export class Alphabet {
  readonly size: number;
  readonly edge: number;
  readonly #starts: Uint32Array;
  readonly #kinds: Uint16Array;
  readonly #ascii = new Uint16Array(128);
  readonly #isBreak: readonly boolean[];
  readonly #isWord: readonly boolean[];
  readonly #members: readonly (readonly boolean[])[];

  /** `asksForWords`: whether letters must be a kind apart for word boundaries. */
  constructor(sets: readonly CharSet[], asksForWords: boolean) {
    const words = asksForWords ? wordClass() : [];
    const tested = [...sets, lineBreaks, words];
    const cuts = new Set<number>([0]);
    for (const set of tested)
      for (const [at, code] of set.entries()) cuts.add(at % 2 === 0 ? code : code + 1);
    const starts = [...cuts].sort((a, b) => a - b);
    const kinds = new Map<string, number>();
    const rows: boolean[][] = [];
    this.#starts = Uint32Array.from(starts);
    this.#kinds = Uint16Array.from(starts, (code) => {
      const row = tested.map((set) => contains(set, code));
      const key = row.map(Number).join('');
      const kind = kinds.get(key) ?? kinds.size;
      if (kind === kinds.size) {
        kinds.set(key, kind);
        rows.push(row);
      }
      return kind;
    });
    this.edge = kinds.size;
    this.size = kinds.size + 1;
    this.#members = rows;
    this.#isBreak = rows.map((row) => row[sets.length] === true);
    this.#isWord = rows.map((row) => row[sets.length + 1] === true);
    for (let code = 0; code < 128; code++) this.#ascii[code] = this.#find(code);
  }

  kindOf(codePoint: number): number {
    return codePoint < 128 ? (this.#ascii[codePoint] as number) : this.#find(codePoint);
  }

  isIn(kind: number, set: number): boolean {
    return this.#members[kind]?.[set] === true;
  }

  /** Whether a line begins or ends beside it. */
  breaksLine(kind: number): boolean {
    return kind === this.edge || this.#isBreak[kind] === true;
  }

  isWord(kind: number): boolean {
    return this.#isWord[kind] === true;
  }

  #find(codePoint: number): number {
    let [from, to] = [0, this.#starts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#starts[middle] as number) <= codePoint) from = middle + 1;
      else to = middle;
    }
    return this.#kinds[from - 1] as number;
  }
}
