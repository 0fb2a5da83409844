import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Language, matches, parseQuery, printQuery } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';
import { Synonyms, synonymBounds, synonymSwitch } from './synonyms.ts';

const topic = new Synonyms([
  'car, automobile, motor car # what drives',
  'js => javascript',
  '# nothing',
  '',
  'Größe, grandeur',
]);
const expanded = (q: string) => printQuery(topic.expand(q, parseQuery(q).query).query);

test('searched words become an OR with their synonyms; both ways or one', () => {
  assert.equal(expanded('Cars NOT car'), '(Cars OR automobile OR "motor car") AND NOT "car"');
  assert.equal(expanded('red car'), 'red AND (car OR automobile OR "motor car")');
  assert.equal(expanded('Title: automobile'), 'Title: (automobile OR car OR "motor car")');
  assert.equal(expanded('js OR javascript'), '(js OR javascript) OR javascript');
  assert.equal(expanded('LARGE große'), 'LARGE AND (große OR grandeur)');
});

test('a term that is several words for the index is neither searched as one word nor matched by its last', () => {
  const mail = new Synonyms(['e-mail, letter', 'post, mail', 'node.js => runtime', '京都市, Kyoto']);
  const read = (q: string) => printQuery(mail.expand(q, parseQuery(q).query).query);
  assert.equal(read('mail'), 'mail OR post');
  assert.equal(read('e-mail'), 'e-mail');
  assert.equal(read('js'), 'js');
  assert.equal(read('letter'), 'letter OR e-mail');
  assert.equal(read('市'), '市');
  assert.equal(read('Kyoto'), 'Kyoto OR 京都市');
  // Beside other words it is quoted as a whole.
  assert.equal(read('"e-mail" post'), '"e-mail" AND (post OR mail)');
});

test('forms of a word in a language of the objects have its synonyms', () => {
  const houses = new Synonyms(['Haus, Gebäude', 'книга => том']);
  const expandedIn = (q: string, among: readonly Language[]) =>
    printQuery(houses.expand(q, parseQuery(q).query, among).query);
  assert.equal(expandedIn('Häuser', ['en']), 'Häuser');
  assert.equal(expandedIn('Häuser', ['en', 'de']), 'Häuser OR Gebäude');
  assert.equal(expandedIn('haus', ['en', 'de']), 'haus OR Gebäude');
  assert.equal(expandedIn('"Häuser" Gebäuden', ['de']), '"Häuser" AND (Gebäuden OR Haus)');
  assert.equal(expandedIn('книги', ['de', 'ru']), 'книги OR том');
});

test('quotes and #nosynonyms leave words unchanged', () => {
  assert.equal(expanded('"car" js'), '"car" AND (js OR javascript)');
  assert.equal(expanded('“car”'), '"car"');
  assert.deepEqual(synonymSwitch('car #NoSynonyms red'), { text: 'car  red', off: true });
  assert.deepEqual(synonymSwitch('#nosynonymsx'), { text: '#nosynonymsx', off: false });
});

const word = fc.constantFrom(
  'car',
  'automobile',
  'js',
  'motor',
  'red',
  '"car"',
  'NOT',
  'OR',
  '(',
  ')',
  'Title:',
);

test('matches remain, unless negated, and queries stay bounded', () => {
  const many = new Synonyms([
    ['car', ...Array.from({ length: 40 }, (_, index) => `w${index}`)].join(','),
    'js, motor, car',
  ]);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), fc.array(word, { maxLength: 6 }), (typed, text) => {
      const q = typed.join(' ');
      const { query } = parseQuery(q);
      const { query: wider, added } = many.expand(q, query);
      assert.ok(added.length <= synonymBounds.added);
      const object = summaryObject('x', [['Title', text.join(' ')]]);
      if (matches(object, query)) assert.ok(matches(object, wider), printQuery(wider));
    }),
  );
});

test('synonyms are searched, count less, are noted, and can be turned off', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([
    source.put('other', 'an automobile of many words'),
    source.put('own', 'a car of so many words'),
    source.put('none', 'a bicycle'),
  ]);
  await using opened = await OpenBroker.open(join(folder.path, 'broker'), [source.url], { synonyms: topic });
  opened.broker.start();
  await opened.fresh();
  const search = (q: string) =>
    opened.broker.queries.search({ q, limit: 10, offset: 0, sources: [], types: [] });
  const found = await search('car');
  assert.deepEqual(
    found.hits.map(({ url }) => url),
    ['http://example.org/own', 'http://example.org/other'],
  );
  assert.ok((found.hits[0]?.score ?? 0) > 1.5 * (found.hits[1]?.score ?? 0));
  assert.equal(found.understood, 'car OR automobile OR "motor car"');
  assert.match(found.notes.join(), /automobile, motor car too/);
  assert.equal(
    (await search('#lines 2 car #max 7')).understood,
    '#lines 2 #max 7 car OR automobile OR "motor car"',
  );
  for (const q of ['"car"', 'car #nosynonyms']) assert.equal((await search(q)).total, 1, q);
});
