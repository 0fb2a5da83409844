import { LineAssembler, type PageLine } from '../pages/index.ts';

const letterWidth = 0.5;
/** A gap that surely parts words, in sizes of a letter. */
export const certainGap = 0.4;

/** A page's text without widths: moves from the end of shown text are exact, places begin a line. */
export class PageWriter {
  readonly #assembler = new LineAssembler();
  readonly pages: (readonly PageLine[])[] = [];
  #x = 0;
  #y = 0;
  #lineY = Number.NaN;
  size = 10;
  bold = false;

  get characters(): number {
    return this.#assembler.characters;
  }

  /** Go to a place of the page; on the current line it begins the next word. */
  place(x: number, y: number): void {
    const same = Math.abs(y - this.#lineY) < 0.5 * this.size;
    this.#x = same ? this.#x + certainGap * this.size : x;
    this.#y = y;
  }

  right(distance: number): void {
    this.#x += distance;
  }

  up(distance: number): void {
    this.#y += distance;
  }

  show(text: string): void {
    const width = text.length * letterWidth * this.size;
    this.#assembler.show({
      text,
      x: this.#x,
      y: this.#y,
      width,
      size: this.size,
      bold: this.bold,
      direction: 0,
      exact: true,
    });
    this.#x += width;
    this.#lineY = this.#y;
  }

  endPage(): void {
    const lines = this.#assembler.take();
    if (lines.length > 0) this.pages.push(lines);
    this.#lineY = Number.NaN;
  }
}
