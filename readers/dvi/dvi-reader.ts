import { ByteView } from '../bytes/index.ts';
import { LineAssembler, type PageLine, texTextsOf } from '../pages/index.ts';

const maxStack = 1000;
const maxFonts = 10_000;
const maxPages = 100_000;
const maxSpecials = 50_000;
const maxSpecialLength = 4096;
/** Most letters are about half as wide as their font is large; the file itself has no widths. */
const letterWidth = 0.5;

interface DviFont {
  readonly name: string;
  /** Scaled size in points. */
  readonly size: number;
  readonly texts: readonly string[];
}

/** The contents of a DVI file. */
export interface DviContent {
  readonly comment: string;
  readonly pages: number;
  readonly fonts: readonly string[];
  readonly specials: readonly string[];
  readonly lines: readonly (readonly PageLine[])[];
  /** Whether reading stopped before the end: the file is cut short or damaged. */
  readonly damaged: boolean;
}

/**
 * Reads the commands of a DVI file (D. Fuchs, The Format of TeX's DVI files, version 2): places of characters
 * relative to each other, fonts, and `\special`s. Characters count as equally wide; gaps stay exact, since
 * TeX moves right by each space.
 */
export class DviReader {
  readonly #view: ByteView;
  #at = 0;
  readonly #fonts = new Map<number, DviFont>();
  readonly #specials: string[] = [];
  readonly #pages: (readonly PageLine[])[] = [];
  readonly #assembler = new LineAssembler();
  readonly #maxCharacters: number;
  #pageCount = 0;
  #comment = '';
  /** Points of one unit. */
  #unit = 1 / 65_536;

  // Horizontal and vertical place, and the four amounts that commands repeat.
  #place = [0, 0, 0, 0, 0, 0];
  #stack: number[][] = [];
  #font: DviFont | undefined;
  #run = '';
  #runStart = 0;

  constructor(bytes: Uint8Array, maxCharacters: number) {
    this.#view = new ByteView(bytes);
    this.#maxCharacters = maxCharacters;
  }

  /** Read the whole file; throws RangeError only when it does not begin as a DVI file. */
  read(): DviContent {
    if (this.#view.u8(0) !== 247) throw new RangeError('not a DVI file');
    let damaged = false;
    try {
      while (this.#command());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      damaged = true;
      this.#endPage();
    }
    return {
      comment: this.#comment,
      pages: this.#pageCount,
      fonts: [...new Set([...this.#fonts.values()].map(({ name }) => name))],
      specials: this.#specials,
      lines: this.#pages,
      damaged,
    };
  }

  #unsigned(bytes: number): number {
    let value = 0;
    for (let left = bytes; left > 0; left--) value = value * 256 + this.#view.u8(this.#at++);
    return value;
  }

  #signed(bytes: number): number {
    const value = this.#unsigned(bytes);
    const limit = 2 ** (8 * bytes - 1);
    return value >= limit ? value - 2 * limit : value;
  }

  /** False at the postamble. */
  #command(): boolean {
    const code = this.#view.u8(this.#at++);
    if (code < 128) this.#character(code, true);
    else if (code < 132) this.#character(this.#unsigned(code - 127), true);
    else if (code === 132 || code === 137) this.#at += 8;
    else if (code < 137) this.#character(this.#unsigned(code - 132), false);
    else if (code === 139) this.#beginPage();
    else if (code === 140) this.#endPage();
    else if (code === 141) this.#push();
    else if (code === 142) this.#pop();
    else if (code >= 143 && code <= 170) this.#move(code);
    else if (code >= 171 && code <= 234) this.#select(code - 171);
    else if (code >= 235 && code <= 238) this.#select(this.#unsigned(code - 234));
    else if (code >= 239 && code <= 242) this.#special(this.#unsigned(code - 238));
    else if (code >= 243 && code <= 246) this.#defineFont(this.#unsigned(code - 242));
    else if (code === 247) this.#preamble();
    else if (code === 248) return false;
    else if (code !== 138) throw new RangeError('unknown command');
    return true;
  }

  #preamble(): void {
    this.#at++;
    const numerator = this.#unsigned(4);
    const denominator = this.#unsigned(4) || 1;
    const magnification = this.#unsigned(4) || 1000;
    const length = this.#unsigned(1);
    this.#comment = this.#view.latin1(this.#at, this.#at + length).trim();
    this.#at += length;
    // The unit is given in ten millionths of a metre; a point is a 72.27th of an inch.
    const unit = ((numerator / denominator) * (magnification / 1000) * 72.27) / 254_000;
    if (Number.isFinite(unit) && unit > 0) this.#unit = unit;
  }

  #beginPage(): void {
    this.#at += 44;
    this.#endPage();
    if (++this.#pageCount > maxPages) throw new RangeError('too many pages');
    this.#place = [0, 0, 0, 0, 0, 0];
    this.#stack = [];
    this.#font = undefined;
  }

  #endPage(): void {
    this.#flush();
    const lines = this.#assembler.take();
    if (lines.length > 0) this.#pages.push(lines);
  }

  #push(): void {
    this.#flush();
    if (this.#stack.length >= maxStack) throw new RangeError('nested too deeply');
    this.#stack.push([...this.#place]);
  }

  #pop(): void {
    this.#flush();
    this.#place = this.#stack.pop() ?? this.#place;
  }

  /** right, w, x, down, y and z: each with 1 to 4 bytes; w0, x0, y0 and z0 repeat the last amount. */
  #move(code: number): void {
    this.#flush();
    const [group, first] = moves.find(([, start, end]) => code >= start && code <= end) ?? ['h', 143];
    const bytes = code - first;
    const vertical = group === 'v' || group === 'y' || group === 'z';
    const kept = { h: -1, w: 2, x: 3, v: -1, y: 4, z: 5 }[group];
    let amount = kept < 0 ? this.#signed(bytes + 1) : 0;
    if (kept >= 0) {
      if (bytes > 0) this.#place[kept] = this.#signed(bytes);
      amount = this.#place[kept] ?? 0;
    }
    const axis = vertical ? 1 : 0;
    this.#place[axis] = (this.#place[axis] ?? 0) + amount * this.#unit;
  }

  #select(number: number): void {
    this.#flush();
    this.#font = this.#fonts.get(number);
  }

  #special(length: number): void {
    const end = this.#at + length;
    if (end > this.#view.length) throw new RangeError('special outside the file');
    if (this.#specials.length < maxSpecials)
      this.#specials.push(this.#view.latin1(this.#at, Math.min(end, this.#at + maxSpecialLength)));
    this.#at = end;
  }

  #defineFont(number: number): void {
    this.#at += 4;
    const size = this.#unsigned(4) * this.#unit;
    this.#at += 4;
    const length = this.#unsigned(1) + this.#unsigned(1);
    const name = this.#view.latin1(this.#at, this.#at + length);
    this.#at += length;
    if (!this.#fonts.has(number) && this.#fonts.size < maxFonts)
      this.#fonts.set(number, { name, size: Math.min(size, 1000), texts: texTextsOf(name) });
  }

  #character(code: number, advances: boolean): void {
    const font = this.#font;
    if (font === undefined || this.#assembler.characters > this.#maxCharacters) return;
    if (this.#run === '') this.#runStart = this.#place[0] ?? 0;
    this.#run += font.texts[code] ?? '';
    if (advances) this.#place[0] = (this.#place[0] ?? 0) + letterWidth * font.size;
  }

  #flush(): void {
    const font = this.#font;
    if (this.#run === '' || font === undefined) return;
    const [x = 0, y = 0] = this.#place;
    this.#assembler.show({
      text: this.#run,
      x: this.#runStart,
      y: -y,
      width: x - this.#runStart,
      size: font.size,
      bold: /bx|bold|^cmb/i.test(font.name),
      direction: 0,
      exact: true,
    });
    this.#run = '';
  }
}

const moves = [
  ['h', 143, 146],
  ['w', 147, 151],
  ['x', 152, 156],
  ['v', 157, 160],
  ['y', 161, 165],
  ['z', 166, 170],
] as const satisfies readonly (readonly [string, number, number])[];
