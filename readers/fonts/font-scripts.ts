// One or two letters of each writing system that no other has; a font with most of them supports it.
const samples: readonly (readonly [script: string, letters: string])[] = [
  ['Latin', 'AEaez'],
  ['Greek', 'ΑΩαω'],
  ['Cyrillic', 'АЯая'],
  ['Armenian', 'ԱՖաֆ'],
  ['Hebrew', 'אתש'],
  ['Arabic', 'ابي'],
  ['Syriac', 'ܐܬ'],
  ['Thaana', 'ހށ'],
  ['NKo', 'ߊߋ'],
  ['Devanagari', 'अक'],
  ['Bengali', 'অক'],
  ['Gurmukhi', 'ਅਕ'],
  ['Gujarati', 'અક'],
  ['Oriya', 'ଅକ'],
  ['Tamil', 'அக'],
  ['Telugu', 'అక'],
  ['Kannada', 'ಅಕ'],
  ['Malayalam', 'അക'],
  ['Sinhala', 'අක'],
  ['Thai', 'กฮ'],
  ['Lao', 'ກຮ'],
  ['Tibetan', 'ཀཁ'],
  ['Myanmar', 'ကအ'],
  ['Georgian', 'აჰ'],
  ['Hangul', '가한'],
  ['Ethiopic', 'ሀአ'],
  ['Cherokee', 'ᎠᏴ'],
  ['Canadian Aboriginal', 'ᐁᙱ'],
  ['Ogham', 'ᚁᚂ'],
  ['Runic', 'ᚠᛟ'],
  ['Khmer', 'កអ'],
  ['Mongolian', 'ᠠᡂ'],
  ['Hiragana', 'あん'],
  ['Katakana', 'アン'],
  ['Bopomofo', 'ㄅㄩ'],
  ['Han', '一人中'],
  ['Yi', 'ꀀꒌ'],
  ['Tifinagh', 'ⴰⵥ'],
  ['Glagolitic', 'ⰀⰁ'],
  ['Coptic', 'ⲀⲂ'],
  ['Gothic', '𐌰𐌱'],
  ['Braille', '⠁⠿'],
  ['Mathematical', '∀∑∞'],
  ['Box Drawing', '─│┼'],
  ['Emoji', '😀😁'],
];

/** The writing systems whose letters are in the given ranges of characters, in a fixed order. */
export function scriptsOf(ranges: readonly (readonly [first: number, last: number])[]): string[] {
  const has = (letter: string) => {
    const code = letter.codePointAt(0) ?? 0;
    return ranges.some(([first, last]) => code >= first && code <= last);
  };
  return samples.filter(([, letters]) => [...letters].every(has)).map(([script]) => script);
}
