import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyse, scanWords, termOf, termsIn, termsOf } from './analysis.ts';
import { type Language, languages } from './languages.ts';
import { stemmerOf } from './stemmers.ts';

// Forms of one word, also where their accents are the only sign of an ending.
const forms: Readonly<Partial<Record<Language, readonly string[]>>> = {
  ar: ['كتاب', 'الكتاب', 'والكتاب', 'بالكتاب', 'للكتاب', 'لكتاب', 'وكتاب'],
  da: ['vinduer', 'vinduerne', 'vinduernes'],
  de: ['Häuser', 'Hauses', 'Häusern', 'Haus', 'Haeuser'],
  el: ['υπολογιστής', 'υπολογιστές'],
  es: ['canción', 'canciones'],
  fi: ['taloa', 'talossa', 'talosta'],
  fr: ['séparer', 'séparée', 'séparées', 'séparés', 'séparant'],
  he: ['ספר', 'הספר', 'ובספר', 'שהספר', 'מהספר', 'וספר'],
  hu: ['háznál', 'házból', 'házban', 'ház'],
  id: ['membaca', 'dibaca', 'bacakan'],
  it: ['cavallo', 'cavalli'],
  nl: ['bestanden', 'bestand'],
  no: ['vinduer', 'vinduene'],
  pt: ['instalações', 'instalação'],
  ro: ['lucrează', 'lucrând'],
  ru: ['книга', 'книги', 'книгой'],
  sv: ['bilderna', 'bildernas', 'bilder'],
  tr: ['gözler', 'gözleri', 'göz'],
};

test('forms of a word are one term in their language, with and without accents', () => {
  assert.deepEqual(
    Object.keys(forms).sort(),
    languages.filter((language) => stemmerOf(language) !== undefined).sort(),
  );
  for (const [language, words] of Object.entries(forms) as [Language, readonly string[]][]) {
    const terms = new Set(words.flatMap((word) => termsOf(word, language)));
    assert.equal(terms.size, 1, `${language}: ${[...terms]}`);
    assert.match([...terms][0] as string, new RegExp(`^${language}/.`));
    const plain = words.map((word) => word.normalize('NFKD').replace(/[\u0300-\u0305\u0307-\u036f]/g, ''));
    assert.deepEqual(new Set(plain.flatMap((word) => termsOf(word, language))), terms);
  }
});

test('two letters typed for one meet it in their languages', () => {
  const same = (language: Language, ...words: string[]) =>
    assert.equal(new Set(words.flatMap((word) => termsOf(word, language))).size, 1, words.join(' '));
  same('de', 'München', 'Muenchen', 'MUENCHEN');
  same('de', 'Öffnungszeiten', 'Oeffnungszeiten');
  same('da', 'Århus', 'Aarhus');
  same('no', 'øl', 'oel');
  same('tr', 'kapıları', 'kapilari', 'KAPILARI', 'kapılar');
  for (const [one, other] of [
    ['neuen', 'neun'],
    ['bauen', 'baun'],
    ['Quelle', 'Qulle'],
  ] as const)
    assert.notDeepEqual(termsOf(one, 'de'), termsOf(other, 'de'));
  assert.notDeepEqual(termsOf('does', 'en'), termsOf('dos', 'en'));
});

test('a word that no stemmer of the language knows has its English term', () => {
  assert.deepEqual(termsOf('x86 3.11 東京都 книги c++', 'de'), termsOf('x86 3.11 東京都 книги c++'));
  assert.deepEqual(termsOf('running книги', 'ru'), ['run', 'ru/книг']);
  assert.deepEqual(termsOf('running Häuser', 'pl'), termsOf('running Häuser'));
  assert.deepEqual(termsIn('running', ['en', 'ru', 'ja', 'de']), ['run', 'de/running']);
});

test('short i stays another letter than i, other accents of Cyrillic letters go', () => {
  const words = (text: string) => analyse(text).map(({ word }) => word);
  assert.deepEqual(words('Новый но́вый ёж'), ['новый', 'новый', 'еж']);
  assert.deepEqual(termsOf('новый новой новая', 'ru'), ['ru/нов', 'ru/нов', 'ru/нов']);
});

const alphabet = 'abehikınorsuzßæøabdегдийнкыобωσκηςסלאכتاب漢京1#+';
const word = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 8 });

test('two words are one term across languages only where both read them so', () => {
  const language = fc.constantFrom(...languages);
  fc.assert(
    fc.property(word, language, word, language, (asked, a, written, b) => {
      for (const one of analyse(asked))
        for (const other of analyse(written))
          if (termOf(one.word, a) === termOf(other.word, b))
            assert.equal(termOf(one.word, b), termOf(other.word, b), `${one.word} ${a}, ${other.word} ${b}`);
    }),
    { numRuns: 20_000 },
  );
});

test('every stemmer takes any word, gives a term that holds no blank, and forgets in time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(...languages),
      (text, language) => {
        for (const term of termsOf(text, language)) assert.match(term, /^\S+$/u);
      },
    ),
    { numRuns: 2_000 },
  );
  for (let n = 0; n < 40_000; n++) {
    let letters = '';
    for (let rest = n; rest > 0; rest = Math.floor(rest / 20)) letters += 'abdefghiklmnoprstuvz'[rest % 20];
    scanWords(letters, (found) => termOf(found, 'de') === '');
  }
  assert.equal(termOf('hauses', 'de'), 'de/haus');
});
