import { maxWordLength } from './analysis.ts';
import { type LanguageSign, type LanguageSigns, languageSigns } from './language-signs.ts';
import { type Language, languages } from './languages.ts';
import { readWords, type WordSink } from './word-bytes.ts';
import { hashOf, hashStart } from './word-hash.ts';

/** Max UTF-16 units of a text that are looked at. */
export const detectedLength = 2048;

// Min words of a text. With fewer words, with fewer signs than one in fifteen words, or with signs of fewer
// kinds, the text is a table, a list of names, a program, or in an unknown language.
const minWords = 6;
const minShare = 1 / 15;
const minKinds = 3;
// Min share of words in a script of its own: half of a Russian manual is commands.
const minOfScript = 0.2;
const minWithEnding = 5;
const endingLength = 3;

const Script = {
  latin: 0,
  greek: 1,
  cyrillic: 2,
  hebrew: 3,
  arabic: 4,
  kana: 5,
  hangul: 6,
  han: 7,
  other: 8,
} as const;
type Script = (typeof Script)[keyof typeof Script];

/** The script of a word, by its first letter. */
function scriptOf(code: number): Script {
  if (code < 0x250) return Script.latin;
  if (code < 0x370) return Script.other;
  if (code < 0x400) return Script.greek;
  if (code < 0x530) return Script.cyrillic;
  if (code < 0x590) return Script.other;
  if (code < 0x600) return Script.hebrew;
  if (code < 0x780) return Script.arabic;
  if (code >= 0x1f00 && code < 0x2000) return Script.greek;
  if (code >= 0x1e00 && code < 0x1f00) return Script.latin;
  if (code >= 0x3040 && code < 0x3100) return Script.kana;
  if (code >= 0x3400 && code < 0xa000) return Script.han;
  return code >= 0xac00 && code < 0xd7b0 ? Script.hangul : Script.other;
}

const written: Readonly<Partial<Record<Language, Script>>> = {
  ...{ el: Script.greek, ru: Script.cyrillic, uk: Script.cyrillic, he: Script.hebrew },
  ...{ ar: Script.arabic, fa: Script.arabic, ja: Script.kana, ko: Script.hangul, zh: Script.han },
};
const scriptOfLanguage = languages.map((language) => written[language] ?? Script.latin);

const scratch = Buffer.alloc(maxWordLength);

class Tally implements WordSink {
  readonly word = scratch;
  readonly wordAt = 0;
  readonly hash = hashStart;
  readonly full = false;
  readonly scores = new Float64Array(languages.length);
  readonly kinds = new Uint16Array(languages.length);
  /** Words by script. */
  readonly scripts = new Uint16Array(Script.other + 1);
  words = 0;
  readonly #signs: LanguageSigns;
  readonly #seen: Uint8Array;

  constructor(signs: LanguageSigns) {
    this.#signs = signs;
    this.#seen = new Uint8Array(signs.count);
  }

  take(end: number, hash: number): void {
    const { word } = this;
    if (!this.#counts(word[0] as number)) return;
    const { plainWords, plainEndings } = this.#signs;
    if (this.add(plainWords.find(word, 0, end, hash)) || end < minWithEnding) return;
    const from = end - endingLength;
    this.add(plainEndings.find(word, from, end, hashOf(word, from, end)));
  }

  takeWord(word: string): void {
    if (!this.#counts(word.charCodeAt(0))) return;
    const { words, endings } = this.#signs;
    if (this.add(words.get(word)) || word.length < minWithEnding) return;
    this.add(endings.get(word.slice(-endingLength)));
  }

  /** Count a word by its first unit; numbers are not counted. */
  #counts(first: number): boolean {
    if (first < 58) return false;
    this.words++;
    const script = scriptOf(first);
    this.scripts[script] = (this.scripts[script] as number) + 1;
    return true;
  }

  add(sign: LanguageSign | undefined): boolean {
    if (sign === undefined) return false;
    const { number, of, weight } = sign;
    const isNew = this.#seen[number] === 0;
    this.#seen[number] = 1;
    for (let at = 0; at < of.length; at++) {
      const language = of[at] as number;
      this.scores[language] = (this.scores[language] as number) + weight;
      if (isNew) this.kinds[language] = (this.kinds[language] as number) + 1;
    }
    return true;
  }
}

/** The language of a text by its script, function words, endings and letters; undefined when undecided. */
export function detectLanguage(text: string): Language | undefined {
  const read = text.length > detectedLength ? text.slice(0, detectedLength) : text;
  const signs = languageSigns();
  const tally = new Tally(signs);
  const bytes = Buffer.from(read);
  readWords(bytes, 0, bytes.length, tally);
  if (tally.words < minWords) return undefined;
  const isAscii = bytes.length === read.length;
  for (let at = 0; at < read.length && !isAscii; at++) {
    const unit = read.charCodeAt(at);
    if (unit > 127 && unit < signs.letters.length) tally.add(signs.letters[unit]);
  }
  return best(tally);
}

function best(tally: Tally): Language | undefined {
  const { scripts, words } = tally;
  const share = (script: Script) => (scripts[script] as number) / words;
  const unspaced = share(Script.kana) + share(Script.hangul) + share(Script.han);
  if (unspaced >= minOfScript) {
    if (share(Script.hangul) > unspaced / 2) return 'ko';
    // Hardly a sentence in Japanese does without kana.
    return share(Script.kana) >= unspaced / 10 ? 'ja' : 'zh';
  }
  const own = [Script.greek, Script.cyrillic, Script.hebrew, Script.arabic].find(
    (script) => share(script) >= minOfScript,
  );
  const script = own ?? Script.latin;
  let found = -1;
  for (const [language, score] of tally.scores.entries())
    if (scriptOfLanguage[language] === script && score > (tally.scores[found] ?? 0)) found = language;
  if (found < 0 || (tally.kinds[found] as number) < minKinds) return undefined;
  if ((tally.scores[found] as number) < minShare * share(script) * words) return undefined;
  return languages[found];
}
