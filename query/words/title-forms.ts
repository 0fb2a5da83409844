import { cutText, termsOf, wordsOf } from './analysis.ts';
import type { Language } from './languages.ts';

/** Longer forms are cut, in titles and in queries alike. */
const maxLength = 120;
const maxParts = 6;

// Between a title and the name of a site, a book or a chapter: `Title - Site`, `Site | Title`, `name --- what it is`.
const separator = /\s+(?:[-–—|·•»]+|::?)\s+|(?<=[\p{L}\p{N})]):\s+/u;
// `3.2 Title`, `Chapter 4. Title`, `A.1: Title`.
const sectionNumber =
  /^\s*(?:§\s*)?(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,4}|[A-Z])(?:\.\d{1,4})*[.:)]?\s+(?=\S)/iu;
// The section of a manual page, `name(1)`, and what else follows a title in parentheses.
const lastParenthesis = /\s*\([^()]*\)[^\p{L}\p{N}]*$/u;

const cut = (form: string) => cutText(form, maxLength);

/** A title, a heading or a query as its words, without case, accents and signs. */
export const typedForm = (text: string): string => cut(wordsOf(text).join(' '));

/** The same in the stems of a language. */
export const stemmedForm = (text: string, language: Language): string =>
  cut(termsOf(text, language).join(' '));

/** The same with its signs: `.NET` is not `net`, and `node.js` is not `node js`. */
export const signedForm = (text: string): string => cut(text.trim().replace(/\s+/g, ' ').toLowerCase());

// A page of this name is known by the name of its folder.
const pageOfFolder = /^(?:index|default)(?:\.[a-z0-9]{1,8})?$/i;
const extension = /(?<=.)\.[a-z][a-z0-9]{0,7}$/i;

/** The last part of an address that names something, decoded; '' for none. */
export function fileNameOf(address: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(address)?.[1] ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  const last = pageOfFolder.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1);
  try {
    return cutText(decodeURIComponent(last ?? ''), 4 * maxLength);
  } catch {
    // Bytes that are no UTF-8.
    return '';
  }
}

/** The name of the file at an address as its words, without its extension; and with it. */
export function fileNames(address: string): readonly string[] {
  const name = fileNameOf(address);
  const forms = [name.replace(extension, ''), name].map(typedForm);
  return [...new Set(forms)].filter((form) => form !== '');
}

/**
 * The parts of a title by which people know it, as their words: without the name of the site, the number of the
 * section and what is in parentheses. The first part comes first. The whole title is not among them.
 */
export function titleParts(title: string): readonly string[] {
  const found = new Set<string>();
  const whole = typedForm(title);
  // The patterns take time quadratic in the text.
  const head = cutText(title, 4 * maxLength);
  for (const part of [head, ...head.split(separator)]) {
    const numberless = part.replace(sectionNumber, '');
    for (const text of [part, numberless, numberless.replace(lastParenthesis, '')]) {
      const form = typedForm(text);
      if (form !== '' && form !== whole && found.size < maxParts) found.add(form);
    }
  }
  return [...found];
}
