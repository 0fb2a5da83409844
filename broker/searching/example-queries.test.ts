import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phrasesOf } from './example-queries.ts';

test('a phrase is the part of a title that others do not share, without its number', () => {
  const manual = '— Python 3.11.2 documentation';
  const titles = [
    `Event Loop ${manual}`,
    `zipfile — Work with ZIP archives ${manual}`,
    `6. Expressions ${manual}`,
    '20.10. Automatic Vacuuming',
    'Part III. Server Administration',
    'CREATE INDEX',
    'F.1. adminpack',
  ];
  assert.deepEqual(phrasesOf(titles), [
    ...['event loop', 'automatic vacuuming', 'server administration', 'create index'],
    ...['zipfile', 'expressions', 'adminpack'],
  ]);
});

test('a site that puts its name first is understood too', () => {
  assert.deepEqual(phrasesOf(['Manual: Row Locks', 'Manual: Write-Ahead Log']), [
    'row locks',
    'write-ahead log',
  ]);
});

test('little words, files, markup and long titles make no example', () => {
  assert.deepEqual(phrasesOf(['The Art of Computer Programming']), ['computer programming']);
  for (const title of [
    'plus.png',
    ':mod:`zipapp` --- Manage',
    '.. currentmodule:: asyncio',
    '',
    'To be',
    'a b',
  ])
    assert.deepEqual(phrasesOf([title]), [], title);
  assert.deepEqual(phrasesOf(['One title with many more words than anybody types']), ['one title']);
  assert.deepEqual(phrasesOf(['Many more words than anybody types']), []);
  assert.deepEqual(phrasesOf(['Index', 'Index', 'Index']), []);
});
