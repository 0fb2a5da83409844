import { attributeText, baseName, type SummaryObject } from '../../soif/index.ts';
import { detectedLength, detectLanguage } from './detect-language.ts';
import { type Language, languageNamed } from './languages.ts';

/** Attributes in which an object speaks, in the order in which they are read to tell its language. */
const told = ['title', 'description', 'abstract', 'full-text', 'partial-text', 'headings', 'keywords'];
// A title in another language than the text is not to decide alone.
const maxBeforeTextLength = 512;

const decoder = new TextDecoder();
const detected = new WeakMap<SummaryObject, Language | 'unsure'>();

/**
 * The language in which an object is searched: the one that its `Language` attribute names, when that is known; else the
 * one that its text shows, when it does; else `fallback`. Objects are told apart by identity: an object that was asked for
 * once costs nothing the next time.
 */
export function languageOfObject(object: SummaryObject, fallback: Language): Language {
  let language = detected.get(object);
  if (language === undefined) {
    language =
      languageNamed(attributeText(object, 'Language') ?? '') ?? detectLanguage(opening(object)) ?? 'unsure';
    detected.set(object, language);
  }
  return language === 'unsure' ? fallback : language;
}

function opening(object: SummaryObject): string {
  let text = '';
  const named = object.attributes.map(({ name, value }) => [baseName(name), value] as const);
  for (const wanted of told) {
    for (const [name, value] of named) {
      if (name !== wanted) continue;
      const room = wanted.endsWith('-text') ? detectedLength : maxBeforeTextLength;
      // Three bytes are the most that one unit takes.
      text += `${decoder.decode(value.subarray(0, 3 * room)).slice(0, room)}\n`;
      if (text.length >= detectedLength) return text;
    }
  }
  return text;
}
