import { attributeText, baseName, type SummaryObject } from '../../soif/index.ts';
import { detectedLength, detectLanguage } from './detect-language.ts';
import { type Language, languageNamed } from './languages.ts';

/** Attributes with prose, in the order in which they are read to detect the language. */
const textAttributes = [
  'title',
  'description',
  'abstract',
  'full-text',
  'partial-text',
  'headings',
  'keywords',
];
// A title alone does not decide, since it may be in another language than the text.
const maxBeforeTextLength = 512;

const decoder = new TextDecoder();
const detected = new WeakMap<SummaryObject, Language | 'unsure'>();

/**
 * The language in which an object is searched: the known language that its `Language` attribute names, else
 * the language detected in its text, else `fallback`. The result is cached by object identity.
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
  for (const wanted of textAttributes) {
    for (const [name, value] of named) {
      if (name !== wanted) continue;
      const room = wanted.endsWith('-text') ? detectedLength : maxBeforeTextLength;
      // One unit takes at most three bytes.
      text += `${decoder.decode(value.subarray(0, 3 * room)).slice(0, room)}\n`;
      if (text.length >= detectedLength) return text;
    }
  }
  return text;
}
