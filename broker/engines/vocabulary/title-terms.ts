import {
  fileNameOf,
  fileNames,
  type Language,
  signedForm,
  signedWords,
  spread,
  stemmedForm,
  textHash,
  titleParts,
  typedForm,
} from '../../../query/index.ts';
import { Attributes, attributeText, type SummaryObject } from '../../../soif/index.ts';

/** How the whole of a title or heading is filed, so that one look-up finds those that are a query. */
export const TitleForm = {
  /** A title by its words, and with its signs where it has any. */
  typed: 't',
  signed: 'x',
  /** A title by its stems, in the language of the object. */
  stemmed: 's',
  /** A title without the name of a site or the number of a section: the first part, and the others. */
  first: 'f',
  part: 'p',
  /** A heading by its words. */
  heading: 'h',
  /** The name of its file. */
  file: 'n',
  /** A word of that name by its stem. */
  fileWord: 'w',
  /** A name with signs anywhere in the object. */
  name: 'y',
} as const;
export type TitleForm = (typeof TitleForm)[keyof typeof TitleForm];

const maxHeadings = 512;

/** The term of a form, in the field of whole titles. */
export const titleTerm = (form: TitleForm, text: string): string => form + text;

/** The terms of an object's titles and headings, each once. */
export function titleTermsOf(object: SummaryObject, language: Language): Set<string> {
  const found = new Set<string>();
  const file = (form: TitleForm, text: string) => {
    if (text !== '') found.add(titleTerm(form, text));
  };
  const title = attributeText(object, Attributes.title) ?? '';
  const typed = typedForm(title);
  file(TitleForm.typed, typed);
  if (typed !== '' && signedForm(title) !== typed) file(TitleForm.signed, signedForm(title));
  file(TitleForm.stemmed, stemmedForm(title, language));
  for (const [index, part] of titleParts(title).entries())
    file(index === 0 ? TitleForm.first : TitleForm.part, part);
  const headings = (attributeText(object, Attributes.headings) ?? '').split('\n', maxHeadings);
  for (const heading of headings) {
    file(TitleForm.heading, typedForm(heading));
    for (const part of titleParts(heading).slice(0, 1)) file(TitleForm.heading, part);
  }
  const names = fileNames(object.url);
  for (const name of names) file(TitleForm.file, name);
  for (const name of namesIn(fileNameOf(object.url))) found.add(name);
  for (const word of names[0]?.split(' ') ?? []) file(TitleForm.fileWord, stemmedForm(word, language));
  return found;
}

/** Names are many and few are in one object, so that a short hash tells them apart. */
const nameMask = 2 ** 18 - 1;

/** The term of a name with signs. Few different names have the same. */
export function nameTerm(name: string): string {
  const hash = spread(textHash(name)) & nameMask;
  return titleTerm(
    TitleForm.name,
    String.fromCharCode(...[hash >> 12, (hash >> 6) & 63, hash & 63].map((bits) => 48 + bits)),
  );
}

/** The terms of the names with signs in a text. */
export function* namesIn(text: string): Generator<string> {
  for (const name of signedWords(text)) yield nameTerm(name);
}
