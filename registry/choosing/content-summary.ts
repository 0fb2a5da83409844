import { failure } from '../../kernel/index.ts';
import { languages as knownLanguages, type Language } from '../../query/index.ts';
import { registryErrors } from '../errors.ts';

/** The attribute of a Broker's description that holds its content summary. */
const summaryAttribute = 'Content-Summary';

/** What a Broker's objects are about: how many of them have each of its telling words. */
export interface ContentSummary {
  readonly objects: number;
  /** UTF-8 bytes of their texts. */
  readonly bytes: number;
  /** How many objects have a word, summed over all words of the Broker, also those that are not listed. */
  readonly words: number;
  /** Number of objects by language, the commonest first. Words are stemmed in the first language. */
  readonly languages: readonly (readonly [language: Language, objects: number])[];
  /** Number of objects by word (stem), to half an octave: 1, 2, 3, 4, 6, 8, 11, 16 and so on. */
  readonly terms: ReadonlyMap<string, number>;
}

/** Max bytes of a summary as text: more for a Broker with much text, where that is far below 1 % of it. */
const maxBytes = 4096;
const maxBytesOfLarge = 60 * 1024;
const largeBytes = 100_000_000;

export const maxSummaryBytes = (bytes: number): number => (bytes > largeBytes ? maxBytesOfLarge : maxBytes);

/** The half octave of a number from 1. */
export const classOf = (objects: number): number => Math.round(2 * Math.log2(objects));

/** The number in the middle of a half octave. */
export const classSize = (half: number): number => Math.round(2 ** (half / 2));

const maxClass = classOf(Number.MAX_SAFE_INTEGER);
const maxTermLength = 64;
const maxLanguages = 32;

/** The first line of a summary as text. */
export function summaryHead({ objects, bytes, words, languages }: Omit<ContentSummary, 'terms'>): string {
  const counted = languages.slice(0, maxLanguages).map(([language, count]) => ` ${language}=${count}`);
  return `1 objects=${objects} bytes=${bytes} words=${words}${counted.join('')}`;
}

/** A summary as text: the head, then a line for each class, the largest first, with its words. */
export function printSummary(summary: ContentSummary): string {
  const classes = new Map<number, string[]>();
  for (const [term, objects] of summary.terms) {
    const own = classes.get(classOf(objects));
    if (own === undefined) classes.set(classOf(objects), [term]);
    else own.push(term);
  }
  const lines = [...classes]
    .sort((a, b) => b[0] - a[0])
    .map(([half, terms]) => [half, ...terms.sort()].join(' '));
  return [summaryHead(summary), ...lines].join('\n');
}

const wrong = (problem: string) =>
  failure(registryErrors.REGISTRY_ATTRIBUTE, { attribute: summaryAttribute, problem });

function readHead(line: string): Omit<ContentSummary, 'terms'> {
  const [, objects, bytes, words, rest = ''] =
    /^1 objects=(\d{1,16}) bytes=(\d{1,16}) words=(\d{1,16})((?: [a-z]{2}=\d{1,16}){0,32})$/.exec(line) ?? [];
  if (objects === undefined) throw wrong('has no head that this version reads');
  const counted = rest.split(' ').flatMap((part): (readonly [Language, number])[] => {
    const [name, count] = part.split('=');
    const language = knownLanguages.find((one) => one === name);
    return language === undefined ? [] : [[language, Number(count)]];
  });
  const head = { objects: Number(objects), bytes: Number(bytes), words: Number(words), languages: counted };
  if (![head.objects, head.bytes, head.words].every(Number.isSafeInteger))
    throw wrong('has a number too large');
  if (counted.length === 0) throw wrong('names no known language');
  return head;
}

/**
 * Read the text of a summary. `objects` is the number of objects in the Broker's description: what the summary
 * claims beyond it is cut. Throws REGISTRY_ATTRIBUTE.
 */
export function readSummary(text: string, objects: number): ContentSummary {
  if (text.length > maxBytesOfLarge) throw wrong(`is longer than ${maxBytesOfLarge / 1024} KiB`);
  const [first = '', ...lines] = text.split('\n');
  const head = readHead(first);
  if (Buffer.byteLength(text) > maxSummaryBytes(head.bytes))
    throw wrong(
      `is longer than ${maxSummaryBytes(head.bytes)} bytes, the maximum for ${head.bytes} bytes of text`,
    );
  const own = Math.min(head.objects, objects);
  const terms = new Map<string, number>();
  let last = maxClass + 1;
  let listed = 0;
  for (const line of lines) {
    const [half = '', ...words] = line.split(' ');
    if (!/^\d{1,3}$/.test(half) || Number(half) >= last)
      throw wrong('has a line without a smaller class than before');
    last = Number(half);
    const count = Math.min(classSize(last), own);
    for (const word of words) {
      if (word === '' || word.length > maxTermLength) throw wrong('has an empty or endless word');
      if (terms.has(word)) throw wrong('has a word twice');
      if (count === 0) continue;
      terms.set(word, count);
      listed += count;
    }
  }
  // Fewer words than are listed would make its words look rarer in its text than they are.
  const words = Math.max(Math.min(head.words, Number.MAX_SAFE_INTEGER), listed);
  const languages = head.languages.map(([language, count]) => [language, Math.min(count, own)] as const);
  return { ...head, objects: own, words, languages, terms };
}
/** A summary is sent again when more than this share of its words has changed. */
const maxChanged = 1 / 16;

/** The share of words that came, went, or moved by more than the half octave that a few objects may be. */
export function changedShare(last: ContentSummary, next: ContentSummary): number {
  let same = 0;
  for (const [term, objects] of next.terms) {
    const before = last.terms.get(term);
    if (before !== undefined && Math.abs(classOf(objects) - classOf(before)) <= 1) same++;
  }
  const larger = Math.max(last.terms.size, next.terms.size);
  return larger === 0 ? 0 : 1 - same / larger;
}

/**
 * Whether a summary differs so much from the one sent last that it is worth sending. A summary is sent whole: it
 * is small, and this way a Registry needs no former version to read it.
 */
export const isWorthSending = (last: ContentSummary, next: ContentSummary): boolean =>
  changedShare(last, next) > maxChanged || last.languages[0]?.[0] !== next.languages[0]?.[0];
