import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Language, parseQuery, printQuery } from '../../query/index.ts';
import { longerWords } from './longer-words.ts';

const known = ['configuration', 'gateway', 'fussgangerzone', 'krankenversicherungsbeitrage'];

async function longer(q: string, ...languages: readonly Language[]) {
  const lookedUp: string[] = [];
  const found = await longerWords(parseQuery(q).query, {
    languages: new Map(languages.map((language) => [language, 1])),
    complete: async (prefix) => known.filter((word) => word.startsWith(prefix)),
    lookUp: async (word) => {
      lookedUp.push(word);
      return { objects: known.includes(word) ? 1 : 0, similar: [] };
    },
  });
  return { text: found && printQuery(found.query), lookedUp };
}

test('unknown words become beginnings, and parts where the index has a language with compounds', async () => {
  assert.equal((await longer('gate gateway', 'en')).text, printQuery(parseQuery('gate* gateway').query));
  assert.equal((await longer('ration', 'en', 'fr')).text, undefined);
  assert.equal((await longer('beitrag', 'en')).text, undefined);
  assert.match((await longer('beitrag', 'en', 'de')).text ?? '', /beitrag/);
  assert.match((await longer('versicherungen', 'de')).text ?? '', /versicher/);
  for (const q of ['gat', 'gateway', '"gate"', 'NOT gate', 'title: gate', '/gate/', 'gate*', '', '*'])
    assert.equal((await longer(q, 'de')).text, undefined, q);
});

test('few unknown words are tried', async () => {
  const words = Array.from({ length: 50 }, (_, index) => `unknown${index}`);
  assert.ok((await longer(words.join(' '), 'de')).lookedUp.length <= 8);
});
