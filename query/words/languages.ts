// Other codes of ISO 639, English names and own names, by the code (ISO 639-1) that is used here.
const namesByLanguage = {
  en: 'eng english',
  de: 'deu ger german deutsch',
  nl: 'nld dut dutch nederlands',
  fr: 'fra fre french français',
  es: 'spa spanish castilian español castellano',
  pt: 'por portuguese português',
  it: 'ita italian italiano',
  ro: 'ron rum romanian română',
  sv: 'swe swedish svenska',
  no: 'nor nb nob nn nno norwegian norsk bokmål nynorsk',
  da: 'dan danish dansk',
  fi: 'fin finnish suomi',
  hu: 'hun hungarian magyar',
  ru: 'rus russian русский',
  tr: 'tur turkish türkçe',
  el: 'ell gre greek ελληνικά',
  ar: 'ara arabic العربية',
  id: 'ind indonesian bahasa',
  pl: 'pol polish polski',
  cs: 'ces cze czech čeština',
  uk: 'ukr ukrainian українська',
  he: 'heb iw hebrew עברית',
  fa: 'fas per persian farsi فارسی',
  ja: 'jpn japanese 日本語',
  ko: 'kor korean 한국어',
  zh: 'zho chi chinese 中文',
};

/** A language that objects may be in, by its ISO 639-1 code. */
export type Language = keyof typeof namesByLanguage;

/** The languages whose words are stemmed, by their codes (ISO 639-1). */
export const languages = Object.keys(namesByLanguage) as readonly Language[];

/** The language of objects without one, unless a Broker's setting names another. */
export const defaultLanguage: Language = 'en';

const byName = new Map(
  languages.flatMap((language) =>
    [language, ...namesByLanguage[language].split(' ')].map((name) => [name.normalize('NFC'), language]),
  ),
);

const maxNameLength = 64;

/** The first known language of a tag (BCP 47), code or name: `de-AT`, `German`, `deu, eng`; or undefined. */
export function languageNamed(text: string): Language | undefined {
  const first = /[\p{L}\p{M}]+/u.exec(text.slice(0, maxNameLength))?.[0];
  return first === undefined ? undefined : byName.get(first.toLowerCase().normalize('NFC'));
}
