import { stemmer } from 'stemmer';
import { CharacterClass, characterClass } from './character-class.ts';
import { foldLetters } from './folded-letters.ts';
import { defaultLanguage, type Language } from './languages.ts';
import { stemmerOf } from './stemmers.ts';

/** Normalised words longer than this many UTF-16 units are cut, in objects and in queries alike. */
export const maxWordLength = 64;

/** One token of a text. `start` and `end` are UTF-16 offsets into the given text. */
export interface Token {
  /** The compared form: `termOf(word)` in the language of the text. */
  readonly term: string;
  /** The word without case and accents, not stemmed. */
  readonly word: string;
  /** 0, 1, 2 ... for every token. */
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** Called for each token in order; return true to end. `written`: the word is as written in the text. */
export type TokenVisitor = (
  word: string,
  position: number,
  start: number,
  end: number,
  written: boolean,
) => boolean;

// Diacritics that readers leave out (Latin, Greek, Cyrillic; Hebrew and Arabic points). Vowel signs of Indic
// scripts stay, and so do marks that make another letter of a Cyrillic one (short i and u).
const diacritics = new RegExp(
  [
    '[\\u0300-\\u0305\\u0307-\\u036f]|(?<![иИуУ])\\u0306|[\\u0483-\\u0487]|[\\u1ab0-\\u1aff]|[\\u1dc0-\\u1dff]|[\\u20d0-\\u20ff]|[\\ufe00-\\ufe0f\\ufe20-\\ufe2f]',
    '[\\u0591-\\u05bd]|\\u05bf|[\\u05c1\\u05c2]|[\\u05c4\\u05c5]|\\u05c7|[\\u0610-\\u061a]|[\\u064b-\\u065f]|\\u0670',
  ].join('|'),
  'g',
);
const notWord = /[^\p{L}\p{N}\p{M}]/gu;

// Words beyond ASCII recur, and normalising one takes as long as all other work on it.
const normalRuns = new Map<string, string>();
const maxNormalRuns = 32_768;

/** A word as it is compared before stemming: NFKD, no diacritics, lower case, folded, NFC (so that Hangul stays whole). */
function normaliseRun(run: string): string {
  const known = normalRuns.get(run);
  if (known !== undefined) return known;
  const normal = normalised(run);
  if (normalRuns.size >= maxNormalRuns) normalRuns.clear();
  if (run.length <= maxWordLength) normalRuns.set(run, normal);
  return normal;
}

function normalised(run: string): string {
  const lower = run.normalize('NFKD').replace(diacritics, '').replace(notWord, '').toLowerCase();
  return foldLetters(lower.replace(diacritics, '').replaceAll('ς', 'σ')).normalize('NFC');
}

/** The words of a list that has only lower-case words and blanks, as `wordsOf` has them, in one pass. */
export const listedWords = (list: string): string[] =>
  foldLetters(list.normalize('NFKD').replace(diacritics, '').replaceAll('ς', 'σ'))
    .normalize('NFC')
    .split(/\s+/);

/** The first `length` UTF-16 units of a text; one less where that would cut a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

const clip = (word: string) => cutText(word, maxWordLength);

/** The normalised form of an ASCII word. */
export const wordOf = (written: string) => clip(written.toLowerCase());

/** By character code below 128: whether it is a letter or a digit. */
const asciiWord = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** By byte of UTF-8: the lower case of an ASCII letter or digit, 0 for all else. */
export const foldedAscii = Uint8Array.from({ length: 256 }, (_, byte) =>
  asciiWord[byte] === 1 ? String.fromCharCode(byte).toLowerCase().charCodeAt(0) : 0,
);

/** `c++`, `c#`: one letter keeps a following `++` or `#` when nothing is glued to it. */
function symbolEnd(text: string, letter: number, at: number): number {
  if (letter < 65) return at;
  const end = text.startsWith('++', at) ? at + 2 : text.startsWith('#', at) ? at + 1 : at;
  if (end === at || end === text.length) return end;
  const next = text.codePointAt(end) as number;
  return characterClass(next) !== CharacterClass.separator || next === 43 || next === 35 ? at : end;
}

const width = (codePoint: number) => (codePoint > 0xffff ? 2 : 1);

// A pictograph with its signs, several that are joined, or the two letters of a flag.
const emoji =
  /^(?:\p{Regional_Indicator}{2}|\P{M}[\ufe0e\ufe0f\u20e3\p{Emoji_Modifier}]*)(?:\u200d\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]*)*/u;
const emojiSigns = /[\u200d\ufe0e\ufe0f\u20e3\p{Emoji_Modifier}]/gu;

/** The end of the emoji at `at`, at most `maxWordLength` units behind it. */
function emojiEnd(text: string, at: number): number {
  // A chain has no bound of its own.
  const found = emoji.exec(text.slice(at, at + maxWordLength))?.[0];
  return at + (found?.length ?? width(text.codePointAt(at) as number));
}

const isVoicedMark = (code: number) =>
  code === 0x3099 || code === 0x309a || code === 0xff9e || code === 0xff9f;

// Unspaced texts are normalised unit by unit; there are fewer than 64 Ki units, so the cache needs no strings
// as keys.
const normalUnits = new Map<number, string>();

function normaliseUnit(code: number): string {
  let normal = normalUnits.get(code);
  if (normal === undefined) {
    normal = normalised(String.fromCharCode(code));
    normalUnits.set(code, normal);
  }
  return normal;
}

/** Characters of one unspaced run, each normalised, with its offsets: a base and its marks stay together. */
function* unspacedCharacters(
  text: string,
  from: number,
): Generator<[character: string, start: number, end: number]> {
  let at = from;
  while (at < text.length) {
    const first = text.codePointAt(at) as number;
    if (characterClass(first) !== CharacterClass.unspaced) return;
    let end = at + width(first);
    // Voiced-sound marks join the character before them.
    while (isVoicedMark(text.charCodeAt(end))) end++;
    if (end - at === 1) {
      const alone = normaliseUnit(first);
      if (alone.length === 1) yield [alone, at, end];
      else for (const character of alone) yield [character, at, end];
    } else for (const character of normaliseRun(text.slice(at, end))) yield [character, at, end];
    at = end;
  }
}

/**
 * The tokeniser. Words are runs of letters, digits and marks (any script); everything else separates, so
 * `node.js` is two tokens and `3.11` too, while digits are never cut; `c++` and `c#` (one letter) keep their
 * sign, and an emoji is a token. Scripts without spaces become overlapping pairs of characters (a run of one character is that
 * character). Takes time linear in the text. `firsts`, when given, lets the scan skip ASCII words by their
 * first letter: they are counted but not visited. `asWritten`: ASCII words are passed as written; `wordOf`
 * normalises them, which a caller that knows the written word can skip. Returns the number of positions
 * passed.
 */
export function scanWords(text: string, visit: TokenVisitor, firsts?: Uint8Array, asWritten = false): number {
  let position = 0;
  let at = 0;
  while (at < text.length) {
    const start = at;
    const code = text.charCodeAt(at);
    if (code < 128) {
      at++;
      if (asciiWord[code] === 0) continue;
      while (at < text.length && asciiWord[text.charCodeAt(at)] === 1) at++;
      if (!joins(text, at)) {
        if (at - start === 1) at = symbolEnd(text, code, at);
        const wanted = firsts === undefined || firsts[code < 97 && code > 57 ? code + 32 : code] === 1;
        if (wanted) {
          const written = text.slice(start, at);
          if (visit(asWritten ? written : wordOf(written), position, start, at, asWritten))
            return position + 1;
        }
        position++;
        continue;
      }
      at = start;
    }
    const codePoint = text.codePointAt(at) as number;
    const kind = characterClass(codePoint);
    if (kind === CharacterClass.separator) {
      at += width(codePoint);
    } else if (kind === CharacterClass.unspaced) {
      let previous = '';
      let previousStart = at;
      let pairs = 0;
      for (const [character, from, to] of unspacedCharacters(text, at)) {
        if (previous !== '') {
          if (visit(previous + character, position, previousStart, to, false)) return position + 1;
          position++;
          pairs++;
        }
        previous = character;
        previousStart = from;
        at = to;
      }
      if (at === start) at += width(codePoint);
      if (pairs === 0 && previous !== '') {
        if (visit(previous, position, start, at, false)) return position + 1;
        position++;
      }
    } else if (kind === CharacterClass.emoji) {
      at = emojiEnd(text, at);
      if (visit(text.slice(start, at).replace(emojiSigns, ''), position, start, at, false))
        return position + 1;
      position++;
    } else {
      while (joinsWord(text, at)) at += width(text.codePointAt(at) as number);
      const word = clip(normaliseRun(text.slice(start, at)));
      if (word === '') continue;
      if (visit(word, position, start, at, false)) return position + 1;
      position++;
    }
  }
  return position;
}

/** Whether the character at `at` continues an ASCII word as part of a longer one. */
const joins = (text: string, at: number) =>
  at < text.length && text.charCodeAt(at) > 127 && joinsWord(text, at);

function joinsWord(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = characterClass(text.codePointAt(at) as number);
  return kind === CharacterClass.word || kind === CharacterClass.joiner;
}

const stems = new Map<string, string>();
const maxStems = 65_536;
const stemmable = /^[a-z]{3,64}$/;

/** The term of a word in English, and in every language for a word that its stemmer does not know. */
function englishTerm(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (!stemmable.test(word)) return word;
  if (stems.size >= maxStems) stems.clear();
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}

const termsByLanguage = new Map<Language, Map<string, string>>();
const maxTermsPerLanguage = 16_384;
// Occurs in no word, so that no term of one language equals a term of another.
const languageMark = '/';
const languageMarkAt = 2;

/**
 * The term of a normalised word in a language. In English: its Porter stem when it consists of a-z, else the
 * word itself. In another language that has a stemmer: the language's code, `/` and the word's stem, when the
 * word consists of letters of its script alone, else the English term. Terms of different languages never
 * collide, so texts in different languages share one index.
 */
export function termOf(word: string, language: Language = defaultLanguage): string {
  if (language === 'en') return englishTerm(word);
  const stemmer = stemmerOf(language);
  if (stemmer === undefined) return englishTerm(word);
  let terms = termsByLanguage.get(language);
  if (terms === undefined) {
    terms = new Map();
    termsByLanguage.set(language, terms);
  }
  const known = terms.get(word);
  if (known !== undefined) return known;
  if (terms.size >= maxTermsPerLanguage) terms.clear();
  const term = stemmer.words.test(word) ? language + languageMark + stemmer.stem(word) : englishTerm(word);
  terms.set(word, term);
  return term;
}

/** A term's language, '' for none, and the rest. */
export const termParts = (term: string): readonly [language: string, stem: string] =>
  term[languageMarkAt] === languageMark
    ? [term.slice(0, languageMarkAt), term.slice(languageMarkAt + 1)]
    : ['', term];

/** The term without its language mark: two terms of one language are equal exactly when their stems are. */
export function stemOf(word: string, language: Language): string {
  const term = termOf(word, language);
  return term[languageMarkAt] === languageMark ? term.slice(languageMarkAt + 1) : term;
}

/** The different terms that a normalised word has in these languages. */
export const termsIn = (word: string, among: Iterable<Language>): string[] => [
  ...new Set(Array.from(among, (language) => termOf(word, language))),
];

/** Every token of a text, in order. */
export function analyse(text: string, language: Language = defaultLanguage): Token[] {
  const tokens: Token[] = [];
  scanWords(text, (word, position, start, end) => {
    tokens.push({ term: termOf(word, language), word, position, start, end });
    return false;
  });
  return tokens;
}

/** Whether a text is one character of a script without spaces, which an index has only within pairs. */
export function isLoneCharacter(text: string): boolean {
  if (text.length > 8 || characterClass(text.trim().codePointAt(0) ?? 0) !== CharacterClass.unspaced)
    return false;
  const [word = '', ...others] = wordsOf(text);
  return others.length === 0 && [...word].length === 1;
}

/** Whether a text has any token. */
export const hasToken = (text: string) => scanWords(text, () => true) > 0;

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (word) => {
    words.push(word);
    return false;
  });
  return words;
}

/** The terms of a text in order, repeats included. */
export const termsOf = (text: string, language: Language = defaultLanguage): string[] =>
  wordsOf(text).map((word) => termOf(word, language));

/** A word prefix as it is compared with indexed words: typed text without case and accents. */
export function normalisePrefix(text: string): string {
  let last = '';
  scanWords(text, (word) => {
    last = word;
    return false;
  });
  return last;
}
