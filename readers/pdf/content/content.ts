import type { LineAssembler } from '../../pages/index.ts';
import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import { nameOf, type PdfDictionary, PdfStream } from '../file/values.ts';
import { unknownText } from '../fonts/font.ts';
import type { FontTable } from '../fonts/font-table.ts';
import { MarkedContent } from './marked-content.ts';
import { OperandReader } from './operands.ts';
import { concatenated, identity, initialState, type Matrix, type TextState } from './text-state.ts';

const maxForms = 12;
const maxStates = 512;
/** Max bytes of content streams executed for one document; forms count each time they are drawn. */
const maxExecuted = 512 * 1024 * 1024;
const formCost = 4096;
// In letters' sizes: a gap that separates words, and moves back or far forward, which begin a
// new piece.
const wordGap = 0.1;
const uncertainGap = 0.25;
const backwardGap = -0.2;
const pieceGap = 1;

const operator = (letters: string): number =>
  [...letters].reduce((code, letter, at) => code | (letter.charCodeAt(0) << (8 * at)), 0);

const op = {
  q: operator('q'),
  Q: operator('Q'),
  cm: operator('cm'),
  BT: operator('BT'),
  Tf: operator('Tf'),
  Td: operator('Td'),
  TD: operator('TD'),
  Tm: operator('Tm'),
  TStar: operator('T*'),
  Tj: operator('Tj'),
  TJ: operator('TJ'),
  Quote: operator("'"),
  DoubleQuote: operator('"'),
  Tc: operator('Tc'),
  Tw: operator('Tw'),
  Tz: operator('Tz'),
  TL: operator('TL'),
  Ts: operator('Ts'),
  Do: operator('Do'),
  gs: operator('gs'),
  BI: operator('BI'),
  BMC: operator('BMC'),
  BDC: operator('BDC'),
  EMC: operator('EMC'),
} as const;

/** Executes content streams (ISO 32000 9.4) for their text; depth of forms and all execution are bounded. */
export class ContentInterpreter {
  readonly #file: PdfFile;
  readonly #fonts: FontTable;
  readonly #lines: LineAssembler;
  readonly #tagged: boolean;
  #executed = 0;
  /** Shown letters, and those of unknown meaning. */
  shown = 0;
  unknown = 0;

  #state: TextState = initialState;
  #marked: MarkedContent;
  // Text and line matrix; the linear part is shared.
  #a = 1;
  #b = 0;
  #c = 0;
  #d = 1;
  #e = 0;
  #f = 0;
  #lineE = 0;
  #lineF = 0;

  constructor(file: PdfFile, fonts: FontTable, lines: LineAssembler, tagged: boolean) {
    this.#file = file;
    this.#fonts = fonts;
    this.#lines = lines;
    this.#tagged = tagged;
    this.#marked = new MarkedContent(tagged);
  }

  /** Whether the bound is reached and nothing more is executed. */
  get exhausted(): boolean {
    return this.#executed > maxExecuted;
  }

  /** Execute a page's content from the initial state. */
  page(content: Uint8Array, resources: PdfDictionary): void {
    this.#state = initialState;
    this.#marked = new MarkedContent(this.#tagged);
    this.#execute(content, resources, 0);
  }

  #execute(content: Uint8Array, resources: PdfDictionary, depth: number): void {
    this.#executed += content.length + formCost;
    if (this.exhausted) return;
    const operands = new OperandReader(content);
    const { numbers } = operands;
    const states: TextState[] = [];
    for (let code = operands.next(); code !== 0; code = operands.next()) {
      const n0 = numbers[0] ?? 0;
      const n1 = numbers[1] ?? 0;
      switch (code) {
        case op.Tj:
        case op.TJ:
          this.#show(operands);
          break;
        case op.Td:
          this.#move(n0, n1);
          break;
        case op.Tf:
          this.#state = {
            ...this.#state,
            font: this.#fonts.named(operands.name, resources),
            size: numbers[operands.count - 1] ?? 1,
          };
          break;
        case op.Tm:
          this.#setMatrix(numbers);
          break;
        case op.TD:
          this.#state = { ...this.#state, leading: -n1 };
          this.#move(n0, n1);
          break;
        case op.TStar:
          this.#move(0, -this.#state.leading);
          break;
        case op.Quote:
          this.#move(0, -this.#state.leading);
          this.#show(operands);
          break;
        case op.DoubleQuote:
          this.#state = { ...this.#state, wordSpace: n0, characterSpace: n1 };
          this.#move(0, -this.#state.leading);
          this.#show(operands);
          break;
        case op.BT:
          numbers.set(identity);
          this.#setMatrix(numbers);
          break;
        case op.Tc:
          this.#state = { ...this.#state, characterSpace: n0 };
          break;
        case op.Tw:
          this.#state = { ...this.#state, wordSpace: n0 };
          break;
        case op.Tz:
          this.#state = { ...this.#state, scale: n0 / 100 };
          break;
        case op.TL:
          this.#state = { ...this.#state, leading: n0 };
          break;
        case op.Ts:
          this.#state = { ...this.#state, rise: n0 };
          break;
        case op.q:
          if (states.length < maxStates) states.push(this.#state);
          break;
        case op.Q:
          this.#state = states.pop() ?? this.#state;
          break;
        case op.cm:
          this.#state = { ...this.#state, matrix: concatenated(matrixOf(numbers), this.#state.matrix) };
          break;
        case op.Do:
          this.#draw(operands.name, resources, depth);
          break;
        case op.gs:
          this.#setFontOf(operands.name, resources);
          break;
        case op.BI:
          operands.skipImage();
          break;
        case op.BMC:
          this.#marked.begin(operands.name, undefined);
          break;
        case op.BDC:
          this.#beginMarked(operands, resources);
          break;
        case op.EMC:
          this.#marked.end();
          break;
      }
    }
  }

  #beginMarked(operands: OperandReader, resources: PdfDictionary): void {
    // Of two names the first was the tag, and an artifact has a dictionary of its own.
    const properties =
      operands.dictionary ??
      this.#file.dictionary(this.#file.dictionary(resources.get('Properties'))?.get(operands.name));
    this.#marked.begin(operands.dictionary === undefined ? '' : operands.name, properties);
  }

  #setFontOf(name: string, resources: PdfDictionary): void {
    const state = this.#file.dictionary(this.#file.dictionary(resources.get('ExtGState'))?.get(name));
    const [font, size] = this.#file.array(state?.get('Font'));
    if (font === undefined) return;
    this.#state = { ...this.#state, font: this.#fonts.font(font), size: this.#file.number(size) ?? 1 };
  }

  #draw(name: string, resources: PdfDictionary, depth: number): void {
    if (depth >= maxForms) return;
    const form = this.#file.resolve(this.#file.dictionary(resources.get('XObject'))?.get(name));
    if (!(form instanceof PdfStream)) return;
    if (nameOf(this.#file.resolve(form.dictionary.get('Subtype'))) !== 'Form') return;
    const content = this.#file.data(form);
    if (content === undefined) return;
    const before = this.#state;
    const matrix = this.#file
      .array(form.dictionary.get('Matrix'))
      .map((value) => this.#file.number(value) ?? 0);
    if (matrix.length === 6)
      this.#state = { ...before, matrix: concatenated(matrixOf(matrix), before.matrix) };
    this.#execute(content, this.#file.dictionary(form.dictionary.get('Resources')) ?? resources, depth + 1);
    this.#state = before;
  }

  #setMatrix(numbers: ArrayLike<number>): void {
    this.#a = numbers[0] ?? 1;
    this.#b = numbers[1] ?? 0;
    this.#c = numbers[2] ?? 0;
    this.#d = numbers[3] ?? 1;
    this.#e = this.#lineE = numbers[4] ?? 0;
    this.#f = this.#lineF = numbers[5] ?? 0;
  }

  #move(x: number, y: number): void {
    this.#e = this.#lineE += x * this.#a + y * this.#c;
    this.#f = this.#lineF += x * this.#b + y * this.#d;
  }

  /** Go on along the line by a distance in text space. */
  #advance(distance: number): void {
    if (this.#state.font?.vertical) {
      this.#e -= distance * this.#c;
      this.#f -= distance * this.#d;
    } else {
      this.#e += distance * this.#a;
      this.#f += distance * this.#b;
    }
  }

  #show(operands: OperandReader): void {
    const { font, size, scale } = this.#state;
    if (font === undefined) return;
    const gap = font.exact ? wordGap : uncertainGap;
    const tracking = size === 0 ? 0 : this.#state.characterSpace / size / font.em;
    const apart = tracking > gap && lettersApart(operands, tracking * font.em);
    let text = '';
    let width = 0;
    for (let item = 0; item < operands.items; item++) {
      const start = operands.starts[item] ?? -1;
      const end = operands.ends[item] ?? 0;
      if (start >= 0) {
        const piece = this.#textOf(font, operands.scratch, start, end);
        text += apart ? [...piece].join(' ') : piece;
        width += this.#width;
        continue;
      }
      const forward = -end / 1000 / font.em;
      const distance = (-end / 1000) * size * (font.vertical ? 1 : scale);
      if (forward < backwardGap || (forward > pieceGap && text !== '')) {
        this.#emit(text, width);
        text = '';
        width = 0;
        this.#advance(distance);
      } else {
        if (forward + (apart ? tracking : 0) > gap && text !== '' && !text.endsWith(' ')) text += ' ';
        if (text === '') this.#advance(distance);
        else width += distance;
      }
    }
    if (text !== '' || width !== 0) this.#emit(text, width);
  }

  /** How far the last text reaches in text space. */
  #width = 0;

  #textOf(font: NonNullable<TextState['font']>, bytes: Uint8Array, start: number, end: number): string {
    const { size, characterSpace, wordSpace, scale } = this.#state;
    const { texts, widths, lengths } = font;
    let text = '';
    let width = 0;
    let letters = 0;
    let spaces = 0;
    for (let at = start; at < end; letters++) {
      const code = bytes[at] ?? 0;
      const length = lengths === undefined ? 1 : (lengths[code] ?? 1);
      if (length === 1) {
        const letter = texts[code] ?? '';
        if (letter === unknownText) this.unknown++;
        text += letter;
        width += widths[code] ?? 0;
        if (code === 32) spaces++;
        at++;
        continue;
      }
      let wide = 0;
      for (const stop = Math.min(end, at + length); at < stop; at++) wide = wide * 256 + (bytes[at] ?? 0);
      const letter = font.wideText(wide);
      if (letter === unknownText) this.unknown++;
      text += letter;
      width += font.vertical ? 1 : font.wideWidth(wide);
    }
    this.shown += letters;
    this.#width =
      (width * size + letters * characterSpace + spaces * wordSpace) * (font.vertical ? 1 : scale);
    return text;
  }

  #emit(text: string, width: number): void {
    const { font, matrix, size, rise } = this.#state;
    const [A, B, C, D, E, F] = matrix;
    const upX = this.#c * A + this.#d * C;
    const upY = this.#c * B + this.#d * D;
    const vertical = font?.vertical === true;
    const alongX = vertical ? -upX : this.#a * A + this.#b * C;
    const alongY = vertical ? -upY : this.#a * B + this.#b * D;
    const unit = Math.hypot(alongX, alongY) || 1;
    const ux = alongX / unit;
    const uy = alongY / unit;
    const e = this.#e + rise * this.#c;
    const f = this.#f + rise * this.#d;
    const px = e * A + f * C + E;
    const py = e * B + f * D + F;
    if (!this.#marked.hidden)
      this.#lines.show({
        text: this.#marked.read(text, textOfString),
        x: px * ux + py * uy,
        y: py * ux - px * uy,
        width: width * unit,
        size: Math.abs(size) * (font?.em ?? 1) * (vertical ? unit : Math.hypot(upX, upY)),
        bold: font?.bold === true,
        // Degrees in steps of five, so that slightly skewed text has one direction.
        direction: Math.round((Math.atan2(uy, ux) * 36) / Math.PI),
        exact: font?.exact === true,
      });
    this.#advance(width);
  }
}

/**
 * Whether wide letter spacing separates words: some writers set it and reset it between the letters of a
 * word, or set it for two or three letters on either side of a gap. Otherwise letters are merely spaced.
 */
function lettersApart(operands: OperandReader, tracking: number): boolean {
  if (operands.items === 1) return (operands.ends[0] ?? 0) - (operands.starts[0] ?? 0) <= 3;
  for (let item = 0; item < operands.items; item++)
    if (operands.starts[item] === -1 && tracking - (operands.ends[item] ?? 0) / 1000 < wordGap) return true;
  return false;
}

function matrixOf(numbers: ArrayLike<number>): Matrix {
  return [
    numbers[0] ?? 1,
    numbers[1] ?? 0,
    numbers[2] ?? 0,
    numbers[3] ?? 1,
    numbers[4] ?? 0,
    numbers[5] ?? 0,
  ];
}
