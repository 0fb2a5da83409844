const mark = '\n';

/** Many short texts, none with a line feed in it, as one that can be searched whole: 2 bytes a unit at most, and 4 a text. */
export class JoinedTexts {
  readonly #all: string;
  /** Where each begins, and where one after the last would. */
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

  /** The numbers of the texts that hold one of these pieces, each once for each piece, ascending for a piece. */
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

  /** The numbers of the texts that begin so, ascending. */
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

  /** The text in which a unit stands, none before `low`. */
  #around(unit: number, low: number): number {
    const last = this.length - 1;
    let from = low;
    let step = 1;
    // Most of what is sought stands near the one before.
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
