/** The rows between `.TS` and `.TE` (tbl(1)), each cell as written; options and formats are skipped. */
export class TroffTable {
  readonly #row: (cells: readonly string[]) => void;
  #state: 'options' | 'format' | 'data' = 'options';
  #tab = '\t';
  /** The cells so far of a row whose last cell is a text block. */
  #block: string[] | undefined;
  #blockLines: string[] = [];

  constructor(row: (cells: readonly string[]) => void) {
    this.#row = row;
  }

  /** One line of the table's source; the caller handles control lines within it. */
  line(line: string): void {
    if (this.#state === 'options') {
      this.#state = 'format';
      if (line.trimEnd().endsWith(';')) {
        this.#tab = /\btab\s*\(?\s*(\S)\s*\)/i.exec(line)?.[1] ?? '\t';
        return;
      }
    }
    if (this.#state === 'format') {
      if (line.trimEnd().endsWith('.')) this.#state = 'data';
      return;
    }
    if (this.#block !== undefined) this.#textBlock(line, this.#block);
    else if (!/^[_=\s]*$/.test(line)) this.#cells([], line);
  }

  /** `.T&`: a new format follows. */
  newFormat(): void {
    this.#state = 'format';
  }

  end(): void {
    if (this.#block !== undefined) this.#row([...this.#block, this.#blockLines.join(' ')]);
    this.#block = undefined;
  }

  #textBlock(line: string, before: string[]): void {
    if (!line.startsWith('T}')) {
      this.#blockLines.push(line);
      return;
    }
    this.#block = undefined;
    const text = this.#blockLines.join(' ');
    this.#blockLines = [];
    this.#cells([...before, text], line.slice(2).startsWith(this.#tab) ? line.slice(3) : '');
  }

  #cells(before: readonly string[], line: string): void {
    const cells = line === '' ? [] : line.split(this.#tab);
    if (cells.at(-1)?.trim() === 'T{') {
      this.#block = [...before, ...cells.slice(0, -1)];
      return;
    }
    // Spans and rules drawn in a cell.
    this.#row([...before, ...cells].filter((cell) => !/^\s*(?:\\\^|\\?[_=]|)\s*$/.test(cell)));
  }
}
