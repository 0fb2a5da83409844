import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognise } from '../../recognise/recognise.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summarise } from '../../testing/summary-of.ts';
import { summariseNotebook } from './notebook.ts';

const picture = 'iVBORw0KGgoAAAANSUhEUg'.repeat(500);
const four = {
  cells: [
    {
      cell_type: 'raw',
      metadata: {},
      source: ['---\n', 'title: From front matter\n', 'author: Kim\n', 'tags: [tide, sea]\n', '---'],
    },
    {
      attachments: { 'a.png': { 'image/png': picture } },
      cell_type: 'markdown',
      metadata: {},
      source: ['# Tide\n', '![a](attachment:a.png) See [page](http://h/p)'],
    },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      outputs: [
        { name: 'stdout', output_type: 'stream', text: ['line one\n', 'line two\n'] },
        {
          data: { 'image/png': picture, 'text/plain': ['<Figure>'], 'text/html': '<b>no</b>' },
          metadata: { text: 'no' },
          output_type: 'display_data',
        },
        { ename: 'ValueError', evalue: 'bad tide', output_type: 'error', traceback: ['no trace'] },
      ],
      source: ['x = 1\n', 'print(x)'],
    },
  ],
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
};

test('notebooks of versions 3 and 4 give titles, code and printed results, and no pictures', async () => {
  const found = await summarised(summariseNotebook, JSON.stringify(four, undefined, 1), 'a.ipynb');
  assertHolds(found, {
    Title: 'From front matter',
    Author: 'Kim',
    Keywords: 'tide, sea',
    'Programming-Language': 'python',
    Software: 'Python 3',
    Format: 'Jupyter notebook 4.5',
    Cells: '3',
    Headings: 'Tide',
  });
  const text = found.get('Full-Text') ?? '';
  assert.match(text, /x = 1\nprint\(x\)\nline one\nline two\n<Figure>\nValueError\nbad tide/);
  assert.doesNotMatch(text, /iVBOR|no trace|attachment/);
  const three = {
    metadata: { name: 'Old one', language: 'julia' },
    nbformat: 3,
    nbformat_minor: 0,
    worksheets: [
      {
        cells: [
          { cell_type: 'heading', level: 1, source: 'Head' },
          { cell_type: 'code', input: ['a = 1'], outputs: [{ output_type: 'pyout', text: '1' }] },
        ],
      },
    ],
  };
  assertHolds(await summarised(summariseNotebook, JSON.stringify(three), 'a.ipynb'), {
    Title: 'Old one',
    'Programming-Language': 'julia',
    Headings: 'Head',
    'Full-Text': 'Head\na = 1\n1',
  });
});

test('a notebook that breaks off gives the cells before, and other JSON is read as JSON', async () => {
  const whole = JSON.stringify(four);
  const found = await summarised(summariseNotebook, whole.slice(0, whole.indexOf('ValueError')), 'a.ipynb');
  assertHolds(found, { Title: 'From front matter', Cells: '2', Headings: 'Tide' });
  assert.match(found.get('Notes') ?? '', /breaks off/);
  for (const text of ['{"title": "T"}', '{"title": "T", "cells": 3}']) {
    const other = { url: 'http://h/a.ipynb', name: 'a.ipynb', bytes: Buffer.from(text) };
    assertHolds(new Map((await summarise(other)).attributes), {
      Title: 'T',
      Type: 'JSON',
      'Types-Tried': 'Notebook',
    });
  }
});

test('a notebook is recognised without its ending', () => {
  for (const name of ['a', 'a.json', 'a.txt', 'a.ipynb'])
    assert.equal(
      recognise({ url: 'http://h/a', name, bytes: Buffer.from(JSON.stringify(four)) }).type,
      'Notebook',
    );
});

test('damaged notebooks give what they hold, and large ones take linear time', async () => {
  await assertSurvives(summariseNotebook, [Buffer.from(JSON.stringify(four))], 'a.ipynb');
  const parts = [
    '{"cell_type":"markdown","source":["# a\\n"]},',
    '{"cells":[',
    '{"source":["',
    '{"outputs":[{"text":"a"}]},',
  ];
  await assertLinear(summariseNotebook, parts, 'a.ipynb', '{"cells":[');
});

test('a notebook is not named by its program, and printed colours are no text', async () => {
  const old = {
    ...{ metadata: { name: 'Untitled0' }, nbformat: 3 },
    worksheets: [{ cells: [{ cell_type: 'markdown', source: 'Head\n====\n' }] }],
  };
  assertHolds(await summarised(summariseNotebook, JSON.stringify(old), 'a.ipynb'), { Title: 'Head' });
  const text = '\u001b[1;31mred\u001b[0m words';
  const cells = [{ cell_type: 'code', source: 'a', outputs: [{ output_type: 'stream', text }] }];
  assertHolds(await summarised(summariseNotebook, JSON.stringify({ nbformat: 4, cells }), 'a.ipynb'), {
    'Full-Text': 'a\nred words',
  });
});
