const mark = '\n';

/** Short texts without line feeds, joined for one search: at most 2 bytes a unit, and 4 a text. */
export class JoinedTexts {
  readonly #all: string;
  /** The start of each text, and of one after the last. */
  readonly #starts: Uint32Array;

  constructor(texts: readonly string[]) {
    this.#all = texts.length === 0 ? '' : `${texts.join(mark)}${mark}`;
    this.#starts = new Uint32Array(texts.length + 1);
    let at = 0;
    for (const [index, text] of texts.entries()) {
      this.#starts[index] = at;
      at += text.length + mark.length;
    }
    this.#starts[texts.length] = at;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  get bytes(): number {
    return 2 * this.#all.length + this.#starts.byteLength;
  }

  at(index: number): string {
    return this.#all.slice(this.#starts[index], (this.#starts[index + 1] as number) - mark.length);
  }

  /** The numbers of texts that contain a piece, for each piece once and ascending. */
  *holding(pieces: readonly string[]): Generator<number> {
    for (const piece of pieces) {
      let index = 0;
      for (let at = this.#all.indexOf(piece); at >= 0; ) {
        index = this.#around(at, index);
        yield index;
        at = this.#all.indexOf(piece, this.#starts[index + 1]);
      }
    }
  }

  /** The numbers of the texts with this prefix, ascending. */
  *beginning(prefix: string): Generator<number> {
    if (this.length > 0 && this.#all.startsWith(prefix)) yield 0;
    const sought = mark + prefix;
    let index = 0;
    for (let at = this.#all.indexOf(sought); at >= 0; at = this.#all.indexOf(sought, at + 1)) {
      if (at + 1 === this.#all.length) return;
      index = this.#around(at + 1, index);
      yield index;
    }
  }

  /** The text that contains a unit, not before `low`. */
  #around(unit: number, low: number): number {
    const last = this.length - 1;
    let from = low;
    let step = 1;
    // The next match is usually near the one before.
    while (from + step <= last && (this.#starts[from + step] as number) <= unit) {
      from += step;
      step *= 2;
    }
    let to = Math.min(last, from + step - 1);
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if ((this.#starts[middle] as number) <= unit) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}
