import { createRequire } from 'node:module';
import { foldLetters } from './folded-letters.ts';
import type { Language } from './languages.ts';

type Stem = (word: string) => string;

interface LanguageStemmer {
  /** The letters of each language's script: only words of these alone are stemmed. */
  readonly words: RegExp;
  readonly stem: Stem;
}

const require = createRequire(import.meta.url);
const latin = /^\p{Script=Latin}+$/u;

// Loaded at the first word to stem: loading all of them takes longer than most commands.
const stemmerModules: Readonly<Partial<Record<Language, () => unknown>>> = {
  ar: () => require('@orama/stemmers/arabic'),
  da: () => require('@orama/stemmers/danish'),
  de: () => require('@orama/stemmers/german'),
  el: () => require('@orama/stemmers/greek'),
  es: () => require('@orama/stemmers/spanish'),
  fi: () => require('@orama/stemmers/finnish'),
  fr: () => require('@orama/stemmers/french'),
  hu: () => require('@orama/stemmers/hungarian'),
  id: () => require('@orama/stemmers/indonesian'),
  it: () => require('@orama/stemmers/italian'),
  nl: () => require('@orama/stemmers/dutch'),
  no: () => require('@orama/stemmers/norwegian'),
  pt: () => require('@orama/stemmers/portuguese'),
  ro: () => require('@orama/stemmers/romanian'),
  ru: () => require('@orama/stemmers/russian'),
  sv: () => require('@orama/stemmers/swedish'),
  tr: () => require('@orama/stemmers/turkish'),
};

const scripts: Readonly<Partial<Record<Language, RegExp>>> = {
  ar: /^\p{Script=Arabic}+$/u,
  el: /^\p{Script=Greek}+$/u,
  he: /^\p{Script=Hebrew}+$/u,
  ru: /^\p{Script=Cyrillic}+$/u,
};

/**
 * Endings that a stemmer knows, for words without accents; the first that fits applies. Without this an
 * ending with an accent is not removed, and *séparée* differs from *séparer*.
 */
const accentedEndings: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  es: [
    [/([cs])ion$/, '$1ión'],
    [/ia(n|mos)$/, 'ía$1'],
    [/([ae])ndol([aeo]s?)$/, '$1\u0301ndol$2'],
  ],
  fr: [
    [/ee(s?)$/, 'ée$1'],
    [/erent$/, 'èrent'],
    [/ite(s?)$/, 'ité$1'],
    [/ieme(s?)$/, 'ième$1'],
  ],
  hu: [
    [/([brt])ol$/, '$1ól'],
    [/ert$/, 'ért'],
    [/kent$/, 'ként'],
    [/kepp(en)?$/, 'képp$1'],
    [/j([ae])t$/, 'j$1\u0301t'],
    [/([^n])n([ae])l$/, '$1n$2\u0301l'],
  ],
  pt: [
    [/coes$/, 'ções'],
    [/soes$/, 'sões'],
    [/cao$/, 'ção'],
    [/sao$/, 'são'],
    [/([ai])vel$/, '$1\u0301vel'],
    [/([ae])ncia(s?)$/, '$1\u0302ncia$2'],
  ],
  ro: [
    [/eaza$/, 'ează'],
    [/easca$/, 'ească'],
    // The stemmer knows the cedilla, not the comma below.
    [/ti(e|i|ei|ilor|ile|a|uni|une|unea|unii|unile|unilor)$/, 'ţi$1'],
    [/([ai])ti$/, '$1ţi'],
    [/and$/, 'ând'],
    [/([aiu])ta$/, '$1tă'],
    [/sti$/, 'şti'],
  ],
};

const accents = /[\u0300-\u036f]/g;

/** Two letters typed for one, in words without accents: `muenchen` is `münchen`. */
const digraphs: Readonly<Partial<Record<Language, readonly (readonly [RegExp, string])[]>>> = {
  // A `u` after `q` or between vowels is its own letter.
  de: [
    [/(?<![aeiouqy])ue/g, 'u'],
    [/([ao])e/g, '$1'],
  ],
  da: [
    [/aa/g, 'a'],
    [/oe/g, 'o'],
  ],
  no: [
    [/aa/g, 'a'],
    [/oe/g, 'o'],
  ],
};

/** Words that are written together with the next one: conjunctions, prepositions and articles. */
const prefixes: Readonly<Partial<Record<Language, RegExp>>> = {
  ar: /^(?:[وف](?=(?:ال|بال|كال|لل).{2})|ل(?=[^ل].{3}))/u,
  he: /^(?:ו?(?:[שמכ]?ה|ש[בל]|[שבכלמה])|ו)(?=.{3})/u,
};

const replaced = (word: string, pairs: readonly (readonly [RegExp, string])[] = []) =>
  pairs.reduce((text, [from, to]) => text.replace(from, to), word);

function withAccents(word: string, language: Language): string {
  if (language === 'tr') return turkish(word);
  for (const [ending, accented] of accentedEndings[language] ?? [])
    if (ending.test(word)) return word.replace(ending, accented).normalize('NFC');
  return word;
}

/** Vowels of a Turkish word agree from front to back, and a soft g is between them. */
function turkish(word: string): string {
  const letters = [...word];
  // An `i` without its dot is folded to one with it; after a back vowel it had none.
  let back = false;
  for (const [at, letter] of letters.entries()) {
    if (letter === 'i' && back) letters[at] = 'ı';
    if ('aeiou'.includes(letter)) back = letter === 'a' || letters[at] === 'ı';
  }
  let front = false;
  for (let at = letters.length - 1; at >= 0; at--) {
    const letter = letters[at] as string;
    if (!'aeıiou'.includes(letter)) continue;
    if (front && letter === 'o') letters[at] = 'ö';
    if (front && letter === 'u') letters[at] = 'ü';
    front = 'eiöü'.includes(letters[at] as string);
  }
  return letters.join('').replace(/(?<=[aeıioöuü])g(?=[aeıioöuü])/g, 'ğ');
}

const loaded = new Map<Language, LanguageStemmer | undefined>();

/** The stemmer of a language (Snowball; for Hebrew its prefixes alone), for words without case and accents; none for English. */
export function stemmerOf(language: Language): LanguageStemmer | undefined {
  if (!loaded.has(language)) loaded.set(language, load(language));
  return loaded.get(language);
}

function load(language: Language): LanguageStemmer | undefined {
  const module = stemmerModules[language];
  const prefix = prefixes[language];
  if (module === undefined && prefix === undefined) return undefined;
  let stemmer: Stem | undefined;
  const stem = (word: string) => {
    const bare = replaced(prefix === undefined ? word : word.replace(prefix, ''), digraphs[language]);
    if (module === undefined) return bare;
    stemmer ??= (module() as { readonly stemmer: Stem }).stemmer;
    const stemmed = stemmer(withAccents(bare, language));
    return foldLetters(stemmed.normalize('NFKD').replace(accents, '')).normalize('NFC');
  };
  return { words: scripts[language] ?? latin, stem };
}
