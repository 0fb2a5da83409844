import { columnGap, inColumns, type PageLine } from './columns.ts';
import { logicalOrder, rightToLeft } from './right-to-left.ts';

/** Text at one place, in the order of display. */
export interface ShownText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly bold: boolean;
  readonly direction: number;
  /** Whether widths are certain; where not, only larger gaps part words. */
  readonly exact: boolean;
}

// In sizes of a letter: the narrowest space between words; the largest distance of letters above or below
// their line; the largest move back within a line.
const wordGap = 0.1;
const uncertainGap = 0.25;
const baselineGap = 0.5;
const backwardGap = 1;
const asianGap = 0.6;
const raised = 0.15;
const maxLineLength = 20_000;

const parted = /\S {4,}\S/;

const asian = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const spacingAccents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
};

/** Joins pieces of text into lines, in display order: by baseline, gaps as spaces, accents over letters. */
export class LineAssembler {
  #lines: PageLine[] = [];
  /** The pieces of lines with wide gaps. */
  #parted = new Map<PageLine, readonly PageLine[]>();
  /** Where wide gaps part the line: the place in the text, where it ended and where it goes on. */
  #gaps: { readonly at: number; readonly end: number; readonly x: number }[] = [];
  #text = '';
  #x = 0;
  #y = 0;
  #end = 0;
  #size = 0;
  #direction = 0;
  #letters = 0;
  #sizes = 0;
  #bold = 0;
  #lastX = 0;
  #lastLength = 0;
  /** Whether text that is read from right to left arrived in reading order. */
  #readingOrder = false;

  /** Characters in all returned lines and the current one. */
  characters = 0;

  show(shown: ShownText): void {
    const { text, x, y, width, size } = shown;
    if (text.includes('    ') && parted.test(text)) {
      // Blanks instead of moves: the words are shown where letters of one width put them.
      for (const { 0: words, index } of text.matchAll(/\S+(?: {1,3}\S+)*/g)) {
        const [from, part] = [index / text.length, words.length / text.length];
        this.show({ ...shown, text: words, x: x + width * from, width: width * part });
      }
      return;
    }
    this.characters += text.length;
    if (this.#text === '' && text.trim() === '') return;
    if (this.#strikesTwice(shown)) return;
    if (this.#text !== '' && this.#continues(shown)) this.#append(shown);
    else {
      this.#finishLine();
      this.#x = x;
      this.#y = y;
      this.#direction = shown.direction;
      this.#lastLength = text.length;
      this.#text = text;
    }
    this.#lastX = x;
    this.#end = x + width;
    this.#size = size;
    this.#letters += text.length;
    this.#sizes += size * text.length;
    if (shown.bold) this.#bold += text.length;
  }

  /** The lines since the last call, including the current one, in reading order. */
  take(): readonly PageLine[] {
    this.#finishLine();
    const lines = this.#lines;
    const parted = this.#parted;
    this.#lines = [];
    this.#parted = new Map();
    return inColumns(lines, parted);
  }

  #continues({ x, y, size, direction }: ShownText): boolean {
    const em = Math.max(size, this.#size);
    return (
      direction === this.#direction &&
      Math.abs(y - this.#y) < baselineGap * em &&
      x - this.#end > -backwardGap * em &&
      this.#text.length < maxLineLength
    );
  }

  #append({ text, x, y, size, exact }: ShownText): void {
    const em = Math.max(Math.min(size, this.#size), 0.01);
    const gap = (x - this.#end) / em;
    const before = this.#text.charAt(this.#text.length - 1);
    if (gap < -0.3 && rightToLeft.test(text)) this.#readingOrder = true;
    if (gap < 0) {
      const mark = spacingAccents[before];
      if (mark !== undefined && gap < -0.2 && /^\p{L}/u.test(text)) {
        const [letter = ''] = text;
        this.#text = `${this.#text.slice(0, -1)}${(plainLetter(letter) + mark).normalize('NFC')}${text.slice(letter.length)}`;
        this.#lastLength = text.length;
        return;
      }
    }
    const min = asian.test(before) && asian.test(text.charAt(0)) ? asianGap : exact ? wordGap : uncertainGap;
    const parted = gap > min || this.#isNoteMark(y, em);
    if (parted && before !== ' ' && !text.startsWith(' ')) this.#text += ' ';
    if (gap > columnGap) this.#gaps.push({ at: this.#text.length, end: this.#end, x });
    this.#text += text;
    this.#lastLength = text.length;
  }

  // Text struck twice a little apart looks bold; it is read once.
  #strikesTwice({ text, x, y, size }: ShownText): boolean {
    if (text.length < 2 || text.length !== this.#lastLength || Math.abs(y - this.#y) > 0.2 * size)
      return false;
    return Math.abs(x - this.#lastX) < 0.2 * size && this.#text.endsWith(text);
  }

  // A raised number behind a word, or a word behind a raised number, is a note's mark and no part of the word.
  #isNoteMark(y: number, em: number): boolean {
    const rise = y - this.#y;
    if (rise > raised * em) return /\p{L}{2}[\p{L}.,;:]*$/u.test(this.#text.slice(-8));
    return rise < -raised * em && this.#text.length < 4 && /^\p{N}+$/u.test(this.#text);
  }

  #finishLine(): void {
    const text = this.#readable(this.#text);
    if (text !== '') {
      const line: PageLine = {
        text,
        x: this.#x,
        y: this.#y,
        end: this.#end,
        size: this.#letters === 0 ? this.#size : this.#sizes / this.#letters,
        bold: 2 * this.#bold > this.#letters,
        direction: this.#direction,
      };
      this.#lines.push(line);
      if (this.#gaps.length > 0) this.#parted.set(line, this.#pieces(line));
    }
    this.#text = '';
    if (this.#gaps.length > 0) this.#gaps = [];
    this.#letters = 0;
    this.#sizes = 0;
    this.#bold = 0;
    this.#readingOrder = false;
  }

  #pieces(line: PageLine): PageLine[] {
    const starts = [{ at: 0, end: line.x, x: line.x }, ...this.#gaps];
    return starts
      .map(({ at, x }, piece) => {
        const next = starts[piece + 1];
        return {
          ...line,
          text: this.#readable(this.#text.slice(at, next?.at)),
          x,
          end: next?.end ?? line.end,
        };
      })
      .filter(({ text }) => text !== '');
  }

  #readable(text: string): string {
    const shown = text.trim();
    return rightToLeft.test(shown) && !this.#readingOrder ? logicalOrder(shown) : shown;
  }
}

function plainLetter(letter: string): string {
  return letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
}
