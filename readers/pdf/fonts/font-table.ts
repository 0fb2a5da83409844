import type { PdfFile } from '../file/file.ts';
import { type PdfDictionary, PdfReference, type PdfValue } from '../file/values.ts';
import { type PdfFont, readFont } from './font.ts';

const maxFonts = 1000;
/** Max mappings of all fonts read for one document; further fonts show nothing. */
const maxCost = 8_000_000;

/** Fonts read so far, each once, however many pages use it. */
export class FontTable {
  readonly #file: PdfFile;
  readonly #byNumber = new Map<number, PdfFont | undefined>();
  #cost = 0;
  readonly #byDictionary = new WeakMap<PdfDictionary, PdfFont>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** The font of a name in a page's or form's resources. */
  named(name: string, resources: PdfDictionary): PdfFont | undefined {
    const value = this.#file.dictionary(resources.get('Font'))?.get(name);
    return value === undefined ? undefined : this.font(value);
  }

  /** The font a reference or dictionary is. */
  font(value: PdfValue): PdfFont | undefined {
    if (!(value instanceof PdfReference)) return this.#read(value);
    if (this.#byNumber.has(value.number)) return this.#byNumber.get(value.number);
    const font = this.#read(value);
    if (this.#byNumber.size >= maxFonts) this.#byNumber.clear();
    this.#byNumber.set(value.number, font);
    return font;
  }

  #read(value: PdfValue): PdfFont | undefined {
    const dictionary = this.#file.dictionary(value);
    if (dictionary === undefined) return undefined;
    const known = this.#byDictionary.get(dictionary);
    if (known !== undefined) return known;
    if (this.#cost > maxCost) return undefined;
    const font = readFont(this.#file, dictionary);
    this.#cost += font.cost;
    this.#byDictionary.set(dictionary, font);
    return font;
  }
}
