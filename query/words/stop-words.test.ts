import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relax } from '../syntax/map-leaves.ts';
import { parseQuery } from '../syntax/parser.ts';
import { printQuery } from '../syntax/printer.ts';
import { listedWords, wordsOf } from './analysis.ts';
import { functionWords } from './function-words.ts';
import { type Language, languages } from './languages.ts';
import { isStopWord, languageOfStopWords } from './stop-words.ts';

test('each language has stop words of its own', () => {
  const some: readonly (readonly [string, Language])[] = [
    ...([
      ['The', 'en'],
      ['Über', 'de'],
      ['uber', 'de'],
      ['même', 'fr'],
      ['που', 'el'],
      ['Что', 'ru'],
    ] as const),
    ...([
      ['på', 'sv'],
      ['için', 'tr'],
      ['não', 'pt'],
      ['في', 'ar'],
    ] as const),
  ];
  for (const [word, language] of some) assert.ok(isStopWord(word, language), `${word} ${language}`);
  assert.ok(!isStopWord('die', 'en') && isStopWord('die', 'de'));
  assert.ok(!isStopWord('', 'de') && !isStopWord('der-die', 'de') && !isStopWord('constructor', 'fr'));
  for (const language of languages) assert.ok(!isStopWord('apache', language));
});

test('the lists of stop words are read as texts are', () => {
  for (const [language, list] of Object.entries(functionWords))
    assert.deepEqual(listedWords(list), wordsOf(list), language);
});

test('a widened query leaves out the stop words of the language that most of them are of', () => {
  const relaxed = (text: string, among?: readonly Language[]) => {
    const wider = relax(parseQuery(text).query, among);
    return wider === undefined ? undefined : printQuery(wider);
  };
  const all: readonly Language[] = ['en', 'de', 'fr'];
  assert.equal(relaxed('the die casting'), printQuery(parseQuery('die OR casting').query));
  assert.equal(relaxed('no man is an island', all), printQuery(parseQuery('man OR island').query));
  assert.equal(relaxed('das Haus und der Hafen', all), printQuery(parseQuery('Haus OR Hafen').query));
  assert.equal(relaxed('le port de la ville', all), printQuery(parseQuery('port OR ville').query));
  assert.equal(relaxed('der die', all), printQuery(parseQuery('der OR die').query));
});

test('of equal counts the first language is taken', () => {
  assert.equal(languageOfStopWords(['apache', 'proxy'], ['fi', 'en']), 'fi');
  assert.equal(languageOfStopWords(['die'], ['en', 'de']), 'de');
  assert.equal(languageOfStopWords([], []), 'en');
});
