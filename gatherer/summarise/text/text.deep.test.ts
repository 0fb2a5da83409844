import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSummariseOptions, type SummariseOptions } from '../../../readers/document/index.ts';
import { documentOf } from '../../testing/summarise-sample.ts';
import { summaryOf } from '../../testing/summary-of.ts';
import { summariseText } from './text.ts';

function read(content: string | Uint8Array, name = 'notes.txt', options: Partial<SummariseOptions> = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return new Map(
    summaryOf(summariseText, { url: `http://site.example/${name}`, name, bytes }, options).attributes,
  );
}

test('the first line with text is the title', () => {
  const values = read('\n=======\n== On  bees ==\n=======\r\n\r\nThey fly.\rAnd\fsting.\n\n\n  Bye\u0007. ');
  assert.equal(values.get('Title'), 'On bees');
  assert.equal(values.get('Full-Text'), '=======\n== On bees ==\n=======\nThey fly.\nAnd\nsting.\nBye.');
  assert.equal(read('  \n \n').get('Title'), 'notes.txt');
  assert.equal(read(`${'x'.repeat(1000)}`).get('Title')?.length, 200);
});

test('an underlined heading is the title, and markup is no text', () => {
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

test('a row of a table is not the title, nor is a mark of RCS', () => {
  const table = 'Name    Value\n-------------\nalpha   42\n';
  assert.equal(read(`\n\n   How things are found\n\n${table}`).get('Title'), 'How things are found');
  assert.equal(
    read(`| Name | Value |\n|------|-------|\n| a | 1 |\n\nWhat they cost\n`).get('Title'),
    'What they cost',
  );
  assert.equal(read('$Id: notes,v 1.1 bee Exp $\n\nOn bees\n').get('Title'), 'On bees');
  // A page of a manual has its name at the left and at the right.
  assert.equal(
    read('LS(1)      User Commands      LS(1)\n\nNAME\n').get('Title'),
    'LS(1) User Commands LS(1)',
  );
});

test('a notice of rights is no title, unless the text is a licence', () => {
  const notice =
    '// Copyright 2020 The Bees. All rights reserved.\n// Use of this is governed\n// by a licence.\n\n';
  assert.equal(read(`${notice}// Rules of the hive\n`).get('Title'), '// Rules of the hive');
  assert.equal(
    read('Copyright (c) 2020 Ann Bee\n\nRedistribution and use in source forms\n', 'LICENSE').get('Title'),
    'LICENSE',
  );
  assert.equal(read('Copyright law for beekeepers\n').get('Title'), 'Copyright law for beekeepers');
});

test('encodings', () => {
  assert.equal(read('Zoë\n').get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('Zo\xeb\n', 'latin1')).get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('\ufeffZoë\n', 'utf16le')).get('Title'), 'Zoë');
  assert.equal(read(Buffer.from('\ufeffZoë\n', 'utf16le').swap16()).get('Title'), 'Zoë');
  assert.equal(read('\ufeffZoë\n').get('Title'), 'Zoë');
});

test('overstruck text is read once', () => {
  assert.equal(read('\u{10000}\bx').get('Full-Text'), 'x');
  assert.equal(read('N\bNA\bAM\bME\bE\n _\bf_\bi_\bl_\be').get('Full-Text'), 'NAME\nfile');
});

test('lines of running text are joined, those of a table are separate', () => {
  const given = 'Bees make\nhoney. They sting.\n\nAnn    12\nBob    14\nCarl   15\n';
  const blocks = (text: SummariseOptions['text']) => {
    const options = { ...defaultSummariseOptions, text };
    return summariseText(documentOf(given, 'notes.txt'), options).text?.blocks;
  };
  assert.deepEqual(blocks('selected'), [
    { role: 'paragraph', text: 'Bees make honey. They sting.' },
    { role: 'pre', text: 'Ann 12\nBob 14\nCarl 15' },
  ]);
  assert.deepEqual(blocks('full'), [
    { role: 'paragraph', text: 'Bees make\nhoney. They sting.\nAnn 12\nBob 14\nCarl 15' },
  ]);
  assert.equal(blocks('none'), undefined);
});
