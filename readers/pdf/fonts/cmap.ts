import { PdfLexer } from '../file/lexer.ts';
import { arrayOf, nameOf, PdfKeyword, type PdfValue } from '../file/values.ts';

const maxMappings = 200_000;
const maxText = 64;

/** A range of codes of one length. */
interface CodeSpace {
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
}

/** A character map (ISO 32000 section 9.7.5, 9.10.3): the lengths of codes, and their text or character. */
export interface CMap {
  readonly spaces: readonly CodeSpace[];
  /** Code to text, from a ToUnicode map. */
  readonly texts: ReadonlyMap<number, string>;
  /** Code to character identifier, from an Encoding map. */
  readonly characters: ReadonlyMap<number, number>;
  /** The name of the map that this one extends. */
  readonly base?: string;
}

/** Read a character map; ranges that would be larger than any font end early. */
export function readCMap(bytes: Uint8Array): CMap {
  const lexer = new PdfLexer(bytes);
  const spaces: CodeSpace[] = [];
  const texts = new Map<number, string>();
  const characters = new Map<number, number>();
  let base: string | undefined;
  let operands: PdfValue[] = [];
  while (!lexer.done) {
    const value = lexer.read();
    if (!(value instanceof PdfKeyword)) {
      if (operands.length < 3 * maxMappings) operands.push(value);
      continue;
    }
    switch (value.word) {
      case 'usecmap':
        base = nameOf(operands.at(-1));
        break;
      case 'endcodespacerange':
        for (let at = 0; at + 1 < operands.length; at += 2)
          spaces.push(codeSpace(operands[at], operands[at + 1]));
        break;
      case 'endbfchar':
        for (let at = 0; at + 1 < operands.length; at += 2)
          if (texts.size < maxMappings) texts.set(codeOf(operands[at]), textOf(operands[at + 1]));
        break;
      case 'endbfrange':
        for (let at = 0; at + 2 < operands.length; at += 3)
          addTexts(texts, codeOf(operands[at]), codeOf(operands[at + 1]), operands[at + 2]);
        break;
      case 'endcidchar':
        for (let at = 0; at + 1 < operands.length; at += 2)
          if (characters.size < maxMappings) characters.set(codeOf(operands[at]), Number(operands[at + 1]));
        break;
      case 'endcidrange':
        for (let at = 0; at + 2 < operands.length; at += 3)
          addCharacters(characters, codeOf(operands[at]), codeOf(operands[at + 1]), Number(operands[at + 2]));
        break;
    }
    operands = [];
  }
  return { spaces, texts, characters, ...(base === undefined ? {} : { base }) };
}

function codeOf(value: PdfValue | undefined): number {
  if (typeof value !== 'string') return 0;
  let code = 0;
  for (let at = 0; at < Math.min(value.length, 4); at++) code = code * 256 + value.charCodeAt(at);
  return code;
}

function codeSpace(low: PdfValue | undefined, high: PdfValue | undefined): CodeSpace {
  const bytes = typeof high === 'string' ? Math.min(4, Math.max(1, high.length)) : 1;
  return { bytes, low: codeOf(low), high: codeOf(high) };
}

function textOf(value: PdfValue | undefined): string {
  return withoutLigatures(utf16(value));
}

/** Text that is searched for: ligatures as their letters. */
export function withoutLigatures(text: string): string {
  return /[\ufb00-\ufb06]/.test(text) ? text.normalize('NFKC') : text;
}

function utf16(value: PdfValue | undefined): string {
  if (typeof value !== 'string') return '';
  if (value.length === 1) return value;
  const bytes = Buffer.from(value.slice(0, maxText), 'latin1');
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return even.swap16().toString('utf16le');
}

function addTexts(texts: Map<number, string>, low: number, high: number, to: PdfValue | undefined): void {
  if (Array.isArray(to)) {
    for (const [at, item] of arrayOf(to).entries())
      if (low + at <= high && texts.size < maxMappings) texts.set(low + at, textOf(item));
    return;
  }
  const first = utf16(to);
  const end = first.length - 1;
  const last = first.charCodeAt(end);
  if (Number.isNaN(last)) return;
  for (let code = low; code <= high && texts.size < maxMappings; code++)
    texts.set(
      code,
      withoutLigatures(first.slice(0, end) + String.fromCharCode((last + code - low) & 0xffff)),
    );
}

function addCharacters(characters: Map<number, number>, low: number, high: number, to: number): void {
  if (Number.isNaN(to)) return;
  for (let code = low; code <= high && characters.size < maxMappings; code++)
    characters.set(code, to + code - low);
}
