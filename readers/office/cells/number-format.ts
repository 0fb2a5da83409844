import { dateText, showsDate } from './date-text.ts';
import { type FormatSection, type FormatToken, formatSections } from './format-code.ts';

const dayOrTime = 'day or time';
const day = 'yyyy-mm-dd';

/** Formats without a code in the file (ISO/IEC 29500-1 section 18.8.30); 27 to 58 are of East Asian programs. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0;-$#,##0',
  6: '$#,##0;-$#,##0',
  7: '$#,##0.00;-$#,##0.00',
  8: '$#,##0.00;-$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: day,
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  ...Object.fromEntries(
    [27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map((id) => [id, dayOrTime]),
  ),
  32: 'h:mm',
  33: 'h:mm:ss',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0)',
  42: '$#,##0;($#,##0)',
  43: '#,##0.00;(#,##0.00)',
  44: '$#,##0.00;($#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
};

const maxFormats = 10_000;
const maxPlaces = 20;
/** Larger numbers have no digits of their own to show. */
const maxShown = 1e15;

/** The number formats of a workbook: a number becomes the text that a person sees in its cell. */
export class NumberFormats {
  /** Whether days are counted from 1 January 1904. */
  from1904 = false;
  readonly #codes = new Map<number, string>();
  readonly #read = new Map<string, readonly FormatSection[]>();

  /** The code of a format that the workbook defines. */
  define(id: number, code: string): void {
    if (this.#codes.size < maxFormats) this.#codes.set(id, code);
  }

  /** A number in a format; one that the format cannot show is written in the general way. */
  shown(value: number, id: number): string {
    const code = this.#codes.get(id) ?? builtIn[id] ?? '';
    if (code === '' || !Number.isFinite(value)) return general(value);
    const sections = this.#sections(code === dayOrTime ? (value < 1 ? 'h:mm:ss' : day) : code);
    const { section, bare } = chosen(sections, value);
    const text = section === undefined ? undefined : this.#inSection(value, section, bare);
    return text === undefined || text.trim() === '' ? general(value) : text.trim();
  }

  #inSection(value: number, section: FormatSection, bare: boolean): string | undefined {
    // The system's own formats depend on the reader.
    if (/^f800$/i.test(section.language ?? '')) return this.shown(value, 14);
    if (/^f400$/i.test(section.language ?? '')) return this.shown(value, 21);
    if (showsDate(section)) return dateText(value, section, this.from1904);
    return numberText(value, section, bare);
  }

  #sections(code: string): readonly FormatSection[] {
    const read = this.#read.get(code) ?? formatSections(code);
    if (this.#read.size < maxFormats) this.#read.set(code, read);
    return read;
  }
}

/** The number as it is, without what its binary form adds. */
export function general(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** The section for a number, and whether the section itself says that the number is negative. */
function chosen(all: readonly FormatSection[], value: number): { section?: FormatSection; bare: boolean } {
  const sections = all.filter(({ text }, at) => !text || at === 0).slice(0, 3);
  const [first, second, third] = sections;
  if (first === undefined) return { bare: false };
  if (sections.some(({ condition }) => condition !== undefined)) {
    const section = sections.find(({ condition }) => condition === undefined || holds(condition, value));
    return section === undefined ? { bare: false } : { section, bare: section !== first && value < 0 };
  }
  if (value < 0 && second !== undefined) return { section: second, bare: true };
  return { section: value === 0 ? (third ?? first) : first, bare: false };
}

function holds({ sign, than }: NonNullable<FormatSection['condition']>, value: number): boolean {
  const less = sign.includes('<') && value < than;
  const more = sign.includes('>') && value > than;
  return less || more || (sign !== '<>' && sign.includes('=') && value === than);
}

function numberText(value: number, section: FormatSection, bare: boolean): string | undefined {
  const { tokens } = section;
  const digits = tokens.filter(({ kind }) => kind === 'digit');
  const literals = (kinds: readonly FormatToken[]) =>
    kinds.map(({ kind, text }) => (kind === 'literal' ? text : '')).join('');
  if (section.general || section.text) {
    const number = general(bare ? Math.abs(value) : value);
    return digits.length > 0 ? number : joinedGeneral(tokens, number);
  }
  if (digits.length === 0) return literals(tokens);
  const first = tokens.findIndex(({ kind }) => kind === 'digit');
  const last = tokens.findLastIndex(({ kind }) => kind === 'digit');
  // A fraction is a decimal here: one number, one way to write it.
  if (tokens.slice(first, last).some(({ kind, text }) => kind === 'literal' && text === '/'))
    return undefined;
  const exponent = tokens.findIndex(({ kind }) => kind === 'exponent');
  if (exponent >= 0) return scientific(value, tokens, exponent);
  const percents = tokens.filter(({ kind }) => kind === 'percent').length;
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const whole = point < 0 ? tokens : tokens.slice(0, point);
  const places = point < 0 ? [] : tokens.slice(point + 1).filter(({ kind }) => kind === 'digit');
  const lastWhole = whole.findLastIndex(({ kind }) => kind === 'digit');
  const grouped = whole.slice(0, lastWhole + 1).some(({ kind }) => kind === 'group');
  const thousands = tokens.filter(({ kind }, at) => kind === 'group' && at > lastWhole).length;
  const scaled = (Math.abs(value) * 100 ** percents) / 1000 ** thousands;
  if (scaled >= maxShown || places.length > maxPlaces) return undefined;
  const [integer = '0', decimals = ''] = rounded(scaled, places.length).split('.');
  const sign = value < 0 && !bare && /[1-9]/.test(integer + decimals) ? '-' : '';
  const front = laidOut(whole, integer === '0' ? '' : integer, grouped);
  const kept = decimals.slice(0, keptPlaces(places, decimals));
  const behind = point < 0 ? '' : `${kept === '' ? '' : `.${kept}`}${afterDigits(tokens.slice(point + 1))}`;
  return sign + (/\d/.test(front) || point < 0 ? front : `${front}0`) + behind;
}

/** The general form of a number among the words of its format. */
function joinedGeneral(tokens: readonly FormatToken[], number: string): string {
  const words = tokens.map(({ text }) => text).join('');
  return words === '' ? number : `${number} ${words.trim()}`;
}

/** Rounded half up, as a person would round the decimal digits and not the binary ones. */
function rounded(value: number, places: number): string {
  const shifted = Number(`${general(value)}e${places}`);
  if (!Number.isFinite(shifted) || shifted >= maxShown) return value.toFixed(places);
  return (Math.round(shifted) / 10 ** places).toFixed(places);
}

/** Digits laid into their placeholders from the right; the first placeholder takes all that are left. */
function laidOut(tokens: readonly FormatToken[], digits: string, grouped: boolean): string {
  const first = tokens.findIndex(({ kind }) => kind === 'digit');
  let left = digits;
  let count = 0;
  let text = '';
  const put = (digit: string) => {
    text = digit + (grouped && count > 0 && count % 3 === 0 ? ',' : '') + text;
    count++;
  };
  for (let at = tokens.length - 1; at >= 0; at--) {
    const { kind, text: written } = tokens[at] ?? { kind: 'literal', text: '' };
    if (kind === 'literal' || kind === 'percent') text = written + text;
    if (kind !== 'digit') continue;
    if (left === '' && written === '0') put('0');
    for (let more = left !== ''; more; more = at === first && left !== '') {
      put(left.slice(-1));
      left = left.slice(0, -1);
    }
  }
  return text;
}

/** How many decimal digits are shown: zeros at the end only where a placeholder wants them. */
function keptPlaces(places: readonly FormatToken[], decimals: string): number {
  let kept = places.length;
  while (kept > 0 && places[kept - 1]?.text !== '0' && decimals[kept - 1] === '0') kept--;
  return kept;
}

function afterDigits(tokens: readonly FormatToken[]): string {
  return tokens.map(({ kind, text }) => (kind === 'literal' || kind === 'percent' ? text : '')).join('');
}

function scientific(value: number, tokens: readonly FormatToken[], exponent: number): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const places = tokens.filter(
    ({ kind }, at) => kind === 'digit' && point >= 0 && at > point && at < exponent,
  );
  const wanted = tokens.filter(({ kind }, at) => kind === 'digit' && at > exponent).length;
  const [mantissa = '', power = '0'] = value.toExponential(Math.min(places.length, maxPlaces)).split('e');
  return `${mantissa}E${power.startsWith('-') ? '-' : '+'}${power.replace(/^[+-]/, '').padStart(wanted, '0')}`;
}
