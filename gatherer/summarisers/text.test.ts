import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SummariseOptions } from '../summariser.ts';
import { summaryOf } from '../summary-of.test.ts';
import { firstSentence } from './clean-text.ts';
import { summariseAllWords, summariseText } from './text.ts';

function read(content: string | Uint8Array, name = 'notes.txt', options: Partial<SummariseOptions> = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return new Map(
    summaryOf(
      name === 'README' ? summariseAllWords : summariseText,
      { url: `http://site.example/${name}`, name, bytes },
      options,
    ).attributes,
  );
}

test('the first line that says something is the title', () => {
  const values = read('\n=======\n== On  bees ==\n=======\r\n\r\nThey fly.\rAnd\fsting.\n\n\n  Bye\u0007. ');
  assert.equal(values.get('Title'), 'On bees');
  assert.equal(values.get('Full-Text'), '=======\n== On bees ==\n=======\nThey fly.\nAnd\nsting.\nBye.');
  assert.equal(read('  \n \n').get('Title'), 'notes.txt');
  assert.equal(read(`${'x'.repeat(1000)}`).get('Title')?.length, 200);
});

test('an underlined heading is the title, and markup says nothing', () => {
  assert.equal(
    read('.. currentmodule:: asyncio\n\n.. _target:\n\n==========\nEvent Loop\n==========\n\nText\n').get(
      'Title',
    ),
    'Event Loop',
  );
  assert.equal(
    read(':orphan:\n\nFirst words\nof a paragraph\n\nA heading\n---------\n').get('Title'),
    'A heading',
  );
  assert.equal(
    read(':mod:`!zipfile` --- For :keyword:`!with`\\ -statement :ref:`contexts <with>`\n====\n').get('Title'),
    'zipfile --- For with-statement contexts',
  );
  assert.equal(read('.. only:: markup\n').get('Title'), '.. only:: markup');
  assert.equal(read('First\n--\nSecond\n').get('Title'), 'First');
});

test('encodings', () => {
  assert.equal(read('Zoë\n').get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('Zo\xeb\n', 'latin1')).get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('\ufeffZoë\n', 'utf16le')).get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('\ufeffZoë\n', 'utf16le').swap16()).get('Title'), 'Zoë');
  assert.equal(read('\ufeffZoë\n').get('Title'), 'Zoë');
});

test('typed-over text is undone', () => {
  assert.equal(read('\u{10000}\bx').get('Full-Text'), 'x');
  assert.equal(read('N\bNA\bAM\bME\bE\n _\bf_\bi_\bl_\be').get('Full-Text'), 'NAME\nfile');
});

test('selected text is the first hundred lines and the first sentence of later paragraphs', () => {
  const lines = Array.from({ length: 120 }, (_, at) => `line ${at}`);
  const given = `${lines.join('\n')}\n\nA later one. With more.\n\nThe last`;
  assert.equal(
    read(given, 'notes.txt', { text: 'selected' }).get('Partial-Text'),
    [...lines.slice(0, 100), 'A later one.', 'The last'].join('\n'),
  );
  assert.equal(read('x '.repeat(10_000), 'a.txt', { text: 'selected' }).get('Partial-Text')?.length, 8000);
  assert.equal(read(given, 'README', { text: 'selected' }).get('Full-Text'), read(given).get('Full-Text'));
  assert.equal(read(given, 'README', { text: 'none' }).get('Full-Text'), undefined);
});

test('a sentence ends at a stop that begins another', () => {
  assert.equal(firstSentence('Use e.g. this one. Then that.'), 'Use e.g. this one.');
  assert.equal(firstSentence('He said "Stop!" Then he left.'), 'He said "Stop!"');
  assert.equal(firstSentence('Version 1.2 is out. 3 bugs.'), 'Version 1.2 is out.');
  assert.equal(firstSentence('これは文です。次の文。'), 'これは文です。');
  assert.equal(firstSentence('no stop at all'), 'no stop at all');
  assert.equal(firstSentence('first line\nsecond'), 'first line');
  assert.equal(firstSentence('y'.repeat(10_000)).length, 500);
});
