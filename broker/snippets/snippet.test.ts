import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { analyse, matchersOf, matches, parseQuery } from '../../query/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import { snippet } from './snippet.ts';
import { titleMatches } from './text-matches.ts';

const query = (text: string) => parseQuery(text).query;
const marked = ({ text, matches: found }: ReturnType<typeof snippet>) =>
  found.map(([start, end]) => text.slice(start, end));

const matchedIn = (of: SummaryObject, wanted: ReturnType<typeof query>) =>
  snippet(of, wanted, { maxLength: 80 }).matched;

const filler = 'Lorem ipsum dolor sit amet consectetur adipiscing elit. '.repeat(40);
const object = summaryObject('http://docs.example.org/asyncio-task.html', [
  ['Title', 'Coroutines and Tasks'],
  ['Author-1', 'Ada'],
  ['Description', 'How tasks are awaited'],
  ['Publisher', 'Quokka Press'],
  ['MD5', 'feedface'],
  [
    'Full-Text',
    `Tasks.\n\n${filler} A task\n\tis   awaited by the event loop, and a task group waits for all. ${filler} event`,
  ],
]);

test('the passage is where the words are together, in one line, from the beginning of their sentence', () => {
  const shown = snippet(object, query('task event loop'), { maxLength: 120 });
  assert.equal(shown.attribute, 'Full-Text');
  assert.ok(shown.text.length <= 120);
  assert.match(shown.text, /^A task is awaited by the event loop, and a task group waits for all\.$/);
  assert.deepEqual(marked(shown), ['task', 'event', 'loop', 'task']);
});

const passageOf = (text: string, wanted: string, maxLength = 120) =>
  snippet(summaryObject('http://x.org/', [['Full-Text', text]]), query(wanted), { maxLength }).text;

test('running text is preferred to menus, lists and code with the same words', () => {
  const page = [
    'VACUUM',
    'Prev Up SQL Commands Home Next',
    'VACUUM',
    'vacuum() vacuum_full() vacuum.analyze(vacuum=1)',
    'Synopsis',
    'This command has many options. Plain VACUUM reclaims the space that dead rows have left behind them.',
    'vacuum_one()',
    'vacuum_two()',
  ].join('\n');
  assert.match(passageOf(page, 'vacuum'), /^Plain VACUUM reclaims the space that dead rows have left/);
});

test('a cut is shown where a sentence is cut, and never falls into a word', () => {
  const long = 'while nobody looks at what the others do with their time '.repeat(4);
  assert.match(passageOf(`${long}the needle ${long}`, 'needle'), /^…\w+ .*\bthe needle .*\w…$/);
  assert.match(
    passageOf(`${long}my_very_long_needle_name ${long}`, 'needle'),
    /^….* my_very_long_needle_name /,
  );
  assert.doesNotMatch(passageOf(`${long}Stop. A needle is here. ${'More of it. '.repeat(9)}`, 'needle'), /…/);
  // A wrapped line is no new sentence; a block is.
  assert.match(passageOf(`${long.trim()}\nwhich needle is meant`, 'needle'), /^…/);
  assert.equal(passageOf('Menu\nwhich needle is meant', 'needle'), 'which needle is meant');
});

test('drawn lines are not shown', () => {
  assert.equal(passageOf('Needles\n=======\n\nThreads....... 12', 'needle'), 'Needles Threads 12');
});

test('the little words of a query count less than the others', () => {
  const common = 'the cat and the dog and the bird and the fish are here. '.repeat(30);
  assert.match(passageOf(`${common}A platypus came. ${common}`, 'the and platypus'), /platypus/);
});

test('a phrase is marked as a whole and only where it occurs', () => {
  assert.deepEqual(marked(snippet(object, query('"task group"'), { maxLength: 200 })), ['task group']);
});

test('the passage comes from the attribute that matched', () => {
  const attribute = (text: string) => snippet(object, query(text), { maxLength: 80 }).attribute;
  assert.equal(attribute('coroutines'), 'Title');
  assert.equal(attribute('quokka'), 'Publisher');
  assert.equal(attribute('Title: tasks'), 'Title');
  assert.equal(attribute('url: asyncio'), 'URL');
  assert.equal(attribute('md5: feedface'), 'MD5');
  assert.equal(attribute('author: ada'), 'Author');
  assert.equal(attribute('Description: awaited'), 'Description');
});

test('an opening skips menus', () => {
  const page = `Logo\nIndex\nNext\nThis module reads and writes archives of every kind there is in this world.\nMore`;
  assert.match(passageOf(page, 'NOT absent'), /^This module reads/);
  assert.equal(passageOf('Logo\nIndex', 'NOT absent'), 'Logo Index');
});

test('without a positive word the description is shown', () => {
  for (const text of ['*', 'NOT absent', 'absent'])
    assert.deepEqual(snippet(object, query(text), { maxLength: 80 }), {
      ...{ text: 'How tasks are awaited', matches: [], attribute: 'Description', matched: [] },
    });
  assert.deepEqual(snippet(summaryObject('-', []), query('x'), { maxLength: 80 }), {
    text: '',
    matches: [],
    attribute: '',
    matched: [],
  });
});

test('the attributes that matched are named', () => {
  assert.deepEqual(matchedIn(object, query('task OR quokka OR url: asyncio OR md5: nothing')), [
    ...['Full-Text', 'Description', 'Publisher', 'Title', 'URL'],
  ]);
  assert.deepEqual(matchedIn(object, query('NOT task')), []);
});

const pieces = fc.constantFrom(
  'apache',
  'proxy ',
  ' ',
  '\n',
  '😀',
  '東京都',
  'é',
  'x'.repeat(50),
  'Balancing ',
  '"',
  '\0',
  'the ',
);
const text = fc.array(pieces, { maxLength: 120 }).map((all) => all.join(''));
const queries = fc.constantFrom(
  'apache',
  'proxy',
  '"balancing the"',
  '東京',
  'apache proxy',
  'title: apache',
  'url: org',
  'the OR é',
  '東京都',
);

test('a hit always shows a matched term, whole characters, and offsets that fit', () => {
  const check = (found: SummaryObject, wanted: string, maxLength: number) => {
    const tree = query(wanted);
    const shown = snippet(found, tree, { maxLength });
    assert.ok(shown.text.length <= maxLength, `${shown.text.length} > ${maxLength}`);
    assert.ok(!/^…?[\udc00-\udfff]|[\ud800-\udbff]…?$/.test(shown.text), 'half a pair');
    let last = 0;
    for (const [start, end] of shown.matches) {
      assert.ok(start >= last && end > start && end <= shown.text.length);
      last = end;
    }
    if (!matches(found, tree)) return;
    assert.ok(shown.matches.length > 0, 'no match is shown');
    const words = analyse(wanted.replace(/^\w+: /, '')).map(({ word }) => ({ kind: 'word', word }) as const);
    const [terms] = matchersOf(words);
    if (maxLength >= 60)
      assert.ok(shown.matches.some(([start, end]) => terms?.matcher.test(shown.text.slice(start, end))));
  };
  fc.assert(
    fc.property(text, text, queries, fc.integer({ min: 20, max: 200 }), (title, body, wanted, maxLength) => {
      check(
        summaryObject('http://x.org/', [
          ['Title', title],
          ['Full-Text', body],
        ]),
        wanted,
        maxLength,
      );
    }),
    { numRuns: 2000 },
  );
});

test('megabytes of text are searched in bounded time', async () => {
  const large = summaryObject('x', [
    ['Full-Text', `${'common filler text '.repeat(100_000)} needle ${'common '.repeat(100_000)}`],
  ]);
  await assertCpuMs(3_000, () => {
    assert.deepEqual(marked(snippet(large, query('needle'), { maxLength: 100 })), ['needle']);
    assert.ok(marked(snippet(large, query('common'), { maxLength: 100 })).length > 1);
  });
});

test('prefixes, words with errors, expressions and words near each other are marked', () => {
  const shown = (wanted: string) => marked(snippet(object, query(wanted), { maxLength: 120 }));
  assert.deepEqual(shown('awai*'), ['awaited']);
  assert.deepEqual(shown('evnt~ NEAR/0 loop'), ['event', 'loop']);
  assert.deepEqual(shown('"evnt~ loop"'), ['event loop']);
  assert.deepEqual(shown('/gr.up waits/'), ['group waits']);
  assert.deepEqual(shown('#part wait #case'), ['awaited', 'waits']);
  assert.deepEqual(shown('task NEAR/2 event'), []);
  assert.deepEqual(matchedIn(object, query('/quok+a/ OR corout* OR Author: ad~')), [
    'Author',
    'Publisher',
    'Title',
  ]);
  assert.deepEqual(matchedIn(object, query('MD5: >a')), []);
});

test('words are marked as the language of the object reads them', () => {
  const german = (attributes: readonly (readonly [string, string])[]) =>
    summaryObject('http://x.org/', [['Language', 'de'], ...attributes]);
  const object = german([['Full-Text', 'Viele alte Häuser stehen am Hafen.']]);
  assert.deepEqual(marked(snippet(object, query('haus'), { maxLength: 80 })), ['Häuser']);
  assert.deepEqual(matchedIn(object, query('haus')), ['Full-Text']);
  const unsure = summaryObject('http://x.org/', [['Title', 'Häuser']]);
  assert.deepEqual(marked(snippet(unsure, query('haus'), { maxLength: 80 })), []);
  assert.deepEqual(marked(snippet(unsure, query('haus'), { maxLength: 80, language: 'de' })), ['Häuser']);
  assert.deepEqual(titleMatches('Alte Häuser', query('haus'), 'de'), [[5, 11]]);
  assert.deepEqual(titleMatches('Alte Häuser', query('haus'), 'en'), []);
});

test('a passage does not repeat a title at the beginning of the text while the words are elsewhere too', () => {
  const titled = (title: string, text: string, wanted: string) =>
    snippet(
      summaryObject('http://x.org/', [
        ['Title', title],
        ['Full-Text', text],
      ]),
      query(wanted),
      { maxLength: 120 },
    );
  const tour = `10. Tour of the Harbour\n10.1. Quay ${filler} Boats of the harbour rest at night.`;
  for (const title of ['10. Tour of the Harbour', '10. Tour of the Harbour — Port manual']) {
    const shown = titled(title, tour, 'harbour');
    assert.match(shown.text, /^Boats of the harbour rest at night\.$/, title);
    assert.deepEqual(marked(shown), ['harbour']);
  }
  // The words are nowhere else.
  assert.match(titled('10. Tour of the Harbour', tour, 'tour').text, /Tour of the Harbour 10\.1/);
  // The title begins a sentence.
  const sentence = 'Tide tables are printed yearly. Buy tide tables at the quay.';
  assert.match(titled('Tide tables', sentence, 'tide tables').text, /^Tide tables are printed/);
  // Characters of a title are no expression.
  assert.match(titled('(a+)+ [b', '(a+)+ [b Text with b.', 'b').text, /^Text with b\.$/);
});
