import type { TextSink } from './running-text.ts';

const maxDepth = 20;

/** The open rows of tables; the rows of a table within a cell belong to that cell. */
export class RowStack {
  readonly #rows: string[][] = [];
  #beyond = 0;

  /** Whether text belongs to a cell. */
  get open(): boolean {
    return this.#rows.length > 0;
  }

  /** Begin a row. */
  begin(): void {
    if (this.#rows.length < maxDepth) this.#rows.push([]);
    else this.#beyond++;
  }

  /** Begin a cell of the innermost row. */
  cell(): void {
    if (this.#beyond === 0) this.#rows.at(-1)?.push('');
  }

  /** Add a paragraph to the innermost cell. */
  add(text: string): void {
    const cells = this.#rows.at(-1);
    const before = cells?.pop();
    cells?.push(before === undefined || before === '' ? text : `${before} ${text}`);
  }

  /** End the innermost row: its cells that are not empty go into the cell around it, else to `sink`. */
  end(sink: TextSink): void {
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const cells = (this.#rows.pop() ?? []).filter((cell) => cell.trim() !== '');
    if (!this.open) sink.row(cells.join('\t'));
    else if (cells.length > 0) this.add(cells.join(' '));
  }
}
