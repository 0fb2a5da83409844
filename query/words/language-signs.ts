import { wordsOf } from './analysis.ts';
import { functionWords } from './function-words.ts';
import { type Language, languages } from './languages.ts';
import { SignTable } from './sign-table.ts';

/** Letters that few other languages have. */
const letters: Readonly<Partial<Record<Language, string>>> = {
  de: 'ßäöü',
  es: 'ñ¿¡áíóú',
  pt: 'ãõçâê',
  da: 'æøå',
  no: 'æøå',
  sv: 'äåö',
  fi: 'äö',
  hu: 'őűáéöü',
  pl: 'łąężźśćń',
  cs: 'řěůčšžýď',
  ro: 'șțşţăâî',
  tr: 'ğışİçöü',
  fr: 'éèàçêœ',
  it: 'èàùòì',
  nl: 'ë',
  ru: 'ыэъё',
  uk: 'іїєґ',
  fa: 'پچژگکی',
};

/** Ends of long words, three letters without accents. */
const endings: Readonly<Partial<Record<Language, string>>> = {
  en: 'ing ion ity ous ble',
  de: 'ung gen ten nen cht',
  nl: 'eid ijk den gen ing',
  fr: 'ent ons eur ait ion',
  es: 'ion nte dos das dor',
  pt: 'cao oes ade nto dos das',
  it: 'one ita nte ato ati are ere',
  ro: 'rea lui lor ate ele',
  sv: 'rna het nde ade gen ett att',
  da: 'rne ede des hed ion gen dig',
  no: 'ene ker jon het ett kes',
  fi: 'ssa sta lla lle lta ksi aan een iin uun nen sen nut vat ita oja',
  hu: 'ban ben nak nek val vel bol rol hoz hez tol nal kat ket sag seg ott ett',
  tr: 'lar ler dir rak rek ken lik iyi nin nda nde dan den yor mek mak',
  pl: 'ach ego ych nie owy ymi',
  cs: 'ych eho ani ost emu',
  id: 'kan nya',
};

/** The weight of one sign for each of its languages. */
export interface LanguageSign {
  /** 0, 1, 2 ... among all signs. */
  readonly number: number;
  /** Places in `languages`. */
  readonly of: readonly number[];
  readonly weight: number;
}

const letterWeight = 0.35;
const endingWeight = 0.5;

/** A sign of many languages has less weight for each of them. */
function signs(
  items: Iterable<readonly [sign: string, language: Language]>,
  weight: number,
  firstNumber: number,
): ReadonlyMap<string, LanguageSign> {
  const found = new Map<string, Set<number>>();
  for (const [sign, language] of items)
    found.set(sign, (found.get(sign) ?? new Set()).add(languages.indexOf(language)));
  return new Map(
    Array.from(found, ([sign, of], index) => [
      sign,
      { number: firstNumber + index, of: [...of], weight: weight / Math.sqrt(of.size) },
    ]),
  );
}

function* each(
  table: Readonly<Partial<Record<Language, string>>>,
  cut: (text: string) => Iterable<string>,
): Generator<readonly [string, Language]> {
  for (const language of languages) for (const sign of cut(table[language] ?? '')) yield [sign, language];
}

/** The signs for detecting a language; built at first use. */
export interface LanguageSigns {
  readonly count: number;
  readonly words: ReadonlyMap<string, LanguageSign>;
  readonly endings: ReadonlyMap<string, LanguageSign>;
  /** By UTF-16 unit, up to the last sign. */
  readonly letters: readonly (LanguageSign | undefined)[];
  readonly plainWords: SignTable<LanguageSign>;
  readonly plainEndings: SignTable<LanguageSign>;
}

let made: LanguageSigns | undefined;

export function languageSigns(): LanguageSigns {
  made ??= make();
  return made;
}

function make(): LanguageSigns {
  // Words of one letter are also options, variables and list numbers.
  const longer = (text: string) => wordsOf(text).filter((word) => word.length > 1);
  const words = signs(each(functionWords, longer), 1, 0);
  const cut = (text: string) => text.split(' ').filter((ending) => ending !== '');
  const ends = signs(each(endings, cut), endingWeight, words.size);
  const ofLetters = signs(
    each(letters, (text) => text),
    letterWeight,
    words.size + ends.size,
  );
  const byUnit: (LanguageSign | undefined)[] = [];
  for (let unit = 0; unit <= Math.max(...Array.from(ofLetters.keys(), unitOf)); unit++)
    byUnit.push(ofLetters.get(String.fromCharCode(unit)));
  return {
    count: words.size + ends.size + ofLetters.size,
    words,
    endings: ends,
    letters: byUnit,
    plainWords: new SignTable(words),
    plainEndings: new SignTable(ends),
  };
}

const unitOf = (letter: string) => letter.charCodeAt(0);
