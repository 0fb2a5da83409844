import {
  isStopWord,
  type Language,
  languages,
  type QueryNode,
  signedForm,
  signedWords,
  stemmedForm,
  type TypedText,
  titleParts,
  typedForm,
} from '../../../query/index.ts';
import { titlesField } from '../index-database/index-fields.ts';
import { intersect, seek, uniteAll } from '../model/doc-set.ts';
import type { TypedPlace } from '../model/search-engine.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import { nameTerm, TitleForm, titleTerm } from '../vocabulary/title-terms.ts';

/** Objects whose title or heading is the query, and what they gain by it. */
export interface TypedGain {
  readonly place: TypedPlace;
  readonly gain: number;
  readonly docnos: Uint32Array;
}

/** The forms that a whole query is compared with. */
type GainingForm = Exclude<TitleForm, typeof TitleForm.fileWord | typeof TitleForm.name>;

// Far above the scores of words, so that these objects come first and keep the order of their scores.
const gains: Readonly<Record<GainingForm, { readonly place: TypedPlace; readonly gain: number }>> = {
  [TitleForm.signed]: { place: 'title', gain: 95 },
  [TitleForm.typed]: { place: 'title', gain: 90 },
  [TitleForm.first]: { place: 'title-part', gain: 70 },
  [TitleForm.part]: { place: 'title-part', gain: 50 },
  [TitleForm.stemmed]: { place: 'title-forms', gain: 40 },
  [TitleForm.file]: { place: 'file-name', gain: 35 },
  [TitleForm.heading]: { place: 'heading', gain: 30 },
};

/** The gain of an object with the signs of the query's names beside its other gain: above every other. */
const signGain = 100;

/** The max gain of an object with this title, where headings do not count. */
export function maxTitleGain({ text, isOpen }: TypedText, title: string): number {
  const typed = typedForm(text);
  const shown = [typedForm(title), ...titleParts(title)];
  const isShown = shown.some((form) => form === typed || (isOpen && form.startsWith(typed)));
  const isStemmed = languages.some((one) => stemmedForm(text, one) === stemmedForm(title, one));
  return typed !== '' && (isShown || isStemmed) ? gains[TitleForm.signed].gain : 0;
}

/** With so many objects a part of titles or a file name gives half its gain: it is the name of a site or a kind of page. */
const commonPart = 16;

/** An unfinished word needs so many letters: a shorter one begins too many titles. */
const minOpenLength = 3;
/** Titles and headings looked at in one segment: an unfinished word begins any number. */
const maxOpenTitles = 1024;
/** What remains of a gain where only the beginning of a title is the query: more for a shorter title. */
const openShare = 0.6;

const mayBeCommon: ReadonlySet<TitleForm> = new Set([TitleForm.first, TitleForm.part, TitleForm.file]);

/** The gains of a query's text, largest first. `onlyTitles`: headings and file names do not count. */
export async function typedGains(
  { text, isOpen }: TypedText,
  among: Iterable<Language>,
  reader: PostingReader,
  onlyTitles: boolean,
): Promise<readonly TypedGain[]> {
  const typed = typedForm(text);
  if (typed === '') return [];
  const signed = signedForm(text);
  // Of one word another form may be another word: `news` is not `new`.
  const isOneWord = !typed.includes(' ');
  const stemmed = isOneWord ? [] : [...new Set(Array.from(among, (language) => stemmedForm(text, language)))];
  const forms: (readonly [GainingForm, string])[] = [
    ...(signed === typed ? [] : [[TitleForm.signed, signed] as const]),
    ...[TitleForm.typed, TitleForm.first, TitleForm.part].map((form) => [form, typed] as const),
    ...stemmed.map((form) => [TitleForm.stemmed, form] as const),
    ...(onlyTitles ? [] : [TitleForm.heading, TitleForm.file].map((form) => [form, typed] as const)),
  ];
  const found = await Promise.all(
    forms.map(async ([form, wanted]): Promise<TypedGain> => {
      const { docnos } = await reader.postings(titlesField, titleTerm(form, wanted));
      const { place, gain } = gains[form];
      // Brokers that are searched together must give equal gains.
      const share = mayBeCommon.has(form) && !onlyTitles ? commonPart / (commonPart + docnos.length) : 1;
      return { place, gain: gain * share, docnos };
    }),
  );
  if (isOpen && typed.length >= minOpenLength) {
    const begun = [TitleForm.typed, TitleForm.first, ...(onlyTitles ? [] : [TitleForm.heading])];
    for (const form of begun) found.push(...(await openGains(form, typed, reader)));
  }
  // The signs of other Brokers' hits cannot be checked.
  const named = onlyTitles ? undefined : await withNames(text, reader);
  if (named !== undefined) {
    const both = found.map((one) => ({
      place: one.place,
      gain: one.gain + signGain,
      docnos: intersect(one.docnos, named),
    }));
    found.push(...both, { place: 'signs', gain: signGain, docnos: named });
  }
  return found.filter(({ docnos }) => docnos.length > 0).sort((a, b) => b.gain - a.gain);
}

/** The gains of titles that begin with the text. */
async function openGains(form: GainingForm, text: string, reader: PostingReader): Promise<TypedGain[]> {
  const found: TypedGain[] = [];
  const { place, gain } = gains[form];
  const range = [titleTerm(form, text), titleTerm(form, `${text}\uffff`)] as const;
  await reader.sweepRange(
    titlesField,
    range,
    (term, { docnos }) => {
      found.push({ place, gain: (openShare * gain * text.length) / Math.max(1, term.length - 1), docnos });
    },
    { max: maxOpenTitles },
  );
  return found;
}

/** The objects that have each name of the query with its signs: `.NET`, not `net`. Undefined where it has no such name. */
async function withNames(text: string, reader: PostingReader): Promise<Uint32Array | undefined> {
  const names = new Set(signedWords(text));
  const lists = await Promise.all(Array.from(names, (name) => reader.postings(titlesField, nameTerm(name))));
  return names.size === 0 ? undefined : lists.map(({ docnos }) => docnos).reduce(intersect);
}

const begunPlaces: ReadonlySet<TypedPlace> = new Set(['title', 'title-part', 'heading']);

/** The objects with a title or heading that begins with a query whose last word is unfinished. */
export const begunSo = (all: readonly TypedGain[]): Uint32Array =>
  uniteAll(all.filter(({ place }) => begunPlaces.has(place)).map(({ docnos }) => docnos));

/** The objects whose file name is the query; none for a name that many have. */
export function namedSo(all: readonly TypedGain[]): Uint32Array {
  const docnos = all.find(({ place }) => place === 'file-name')?.docnos ?? new Uint32Array();
  return docnos.length > commonPart ? new Uint32Array() : docnos;
}

/** The objects whose file name has all the words of the query. */
export async function namedWith(
  { text }: TypedText,
  among: readonly Language[],
  reader: PostingReader,
): Promise<Uint32Array> {
  let found: Uint32Array | undefined;
  for (const word of typedForm(text).split(' ')) {
    const stems = [...new Set(among.map((language) => stemmedForm(word, language)))];
    const terms = stems.map((stem) => titleTerm(TitleForm.fileWord, stem));
    const lists = await Promise.all(terms.map((term) => reader.postings(titlesField, term)));
    const having = uniteAll(lists.map(({ docnos }) => docnos));
    found = found === undefined ? having : intersect(found, having);
    if (found.length === 0) break;
  }
  return found ?? new Uint32Array();
}

// Of common words alone only their order says what is meant.
const phraseGains = { usual: 4, common: 20 };
/** With more matches than this, a phrase is looked for only where nothing else ranks. */
const maxPhraseMatches = 5000;

/** The words of a text as a phrase, and the gain of objects that have it; undefined where it is not looked for. */
export function phraseOf({ text, isOpen }: TypedText, among: readonly Language[], matches: number) {
  const words = typedForm(text).split(' ');
  const isCommon = words.every((word) => among.some((language) => isStopWord(word, language)));
  if (isOpen || words.length < 2 || (matches > maxPhraseMatches && !isCommon)) return undefined;
  const node: QueryNode = { kind: 'phrase', words: [text] };
  return { node, gain: isCommon ? phraseGains.common : phraseGains.usual };
}

/** The max gain of an object by a phrase, whatever the languages and the number of matches. */
export const maxPhraseGain = (text: TypedText): number => phraseOf(text, languages, 0)?.gain ?? 0;

/** The largest gain of one object. */
export const gainOf = (docno: number, all: readonly TypedGain[]): TypedGain | undefined =>
  all.find(({ docnos }) => docnos[seek(docnos, docno, 0)] === docno);

/** Add to the scores of `docnos` (ascending) the largest gain of each. `all`: largest first. */
export function addGains(scores: Float64Array, docnos: Uint32Array, all: readonly TypedGain[]): void {
  const gained = new Set<number>();
  for (const { gain, docnos: listed } of all) {
    let at = 0;
    for (const docno of listed) {
      at = seek(docnos, docno, at);
      if (at === docnos.length) break;
      if (docnos[at] !== docno || gained.has(docno)) continue;
      gained.add(docno);
      scores[at] = (scores[at] as number) + gain;
    }
  }
}
