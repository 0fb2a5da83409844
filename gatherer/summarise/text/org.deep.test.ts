import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognise } from '../../recognise/recognise.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseOrg } from './org.ts';

const plan = `# -*- mode: org -*-
#+title: Tides of the
#+TITLE: /North/ Sea
#+AUTHOR: Kim Example and Jo Pilot
#+DATE: <2024-02-15 Thu>
#+LANGUAGE: en
#+FILETAGS: :sea:work:
#+KEYWORDS: tide, harbour
#+OPTIONS: toc:nil
* TODO [#A] First *part* :one:two:
  SCHEDULED: <2024-02-15 Thu>
  :PROPERTIES:
  :ID: no
  :END:
A line with [[https://h.example/a][a link]], =code=, ~more~ and +old+
and 2*3*4, snake_case_name, a/b/c. See https://h.example/b.
** DONE Second
- [ ] item one
- [X] item two
  goes on
1. numbered
- term :: meaning
| a | b |
|---+---|
| 1 | 2 |
#+BEGIN_SRC python :tangle no
import os
,* no headline
#+END_SRC
#+BEGIN_QUOTE
Quoted words
#+END_QUOTE
#+BEGIN_COMMENT
hidden
#+END_COMMENT
# comment
: fixed  width
[[file:img/a.png]] [[*Second]] text[fn:1]
[fn:1] The note.
`;

test('Org gives keywords, headlines without their marks, and text without notation', async () => {
  assertHolds(await summarised(summariseOrg, plan, 'a.org'), {
    Title: 'Tides of the North Sea',
    'Author-1': 'Kim Example',
    'Author-2': 'Jo Pilot',
    Date: '2024-02-15',
    Language: 'en',
    Keywords: 'tide, harbour, sea, work, one, two',
    Headings: 'First part\nSecond',
    'Full-Text': [
      'First part',
      'A line with a link, code, more and old and 2*3*4, snake_case_name, a/b/c. See https://h.example/b.',
      'Second',
      'item one',
      'item two goes on',
      'numbered',
      'term meaning',
      'a b',
      '1 2',
      'import os\n* no headline',
      'Quoted words',
      'fixed width',
      '*Second text The note.',
    ].join('\n'),
  });
});

test('Org is recognised by its ending and its first keywords', () => {
  const typeOf = (name: string, content: string) =>
    recognise({ url: `http://h/${name}`, name, bytes: Buffer.from(content) }).type;
  assert.equal(typeOf('a.org', 'text'), 'Org');
  for (const start of ['#+TITLE: a\n', '# -*- mode: org -*-\n', '# comment\n\n#+STARTUP: fold\n'])
    assert.equal(typeOf('notes', start), 'Org', start);
  for (const start of [
    '#+ a\n',
    '# A heading\n\n#+1 text',
    '* star\n',
    '\n'.repeat(4000),
    '#\n'.repeat(4000),
  ])
    assert.notEqual(typeOf('notes', start), 'Org', start);
});

test('damaged Org gives what it holds, and large files take linear time', async () => {
  await assertSurvives(summariseOrg, [Buffer.from(plan)], 'a.org');
  const parts = [
    '* a :b:\n',
    ':A:\n',
    '#+BEGIN_SRC\n',
    '[[',
    '[[a][',
    '*a ',
    '/a',
    '| a ',
    '- ',
    '#+A: b\n',
    '[fn:',
    '{{{',
    '@@a:',
  ];
  await assertLinear(summariseOrg, parts, 'a.org');
});

test('Org: a keyword needs no blank before its value, and only drawers of the program are left out', async () => {
  const source = '#+TITLE:Roam\n:PROPERTIES:\n:ID: 0f1e\n:END:\n:NOTES:\nWords in a drawer.\n:END:\nEnd.\n';
  assertHolds(await summarised(summariseOrg, source, 'a.org'), {
    Title: 'Roam',
    'Full-Text': 'Words in a drawer.\nEnd.',
  });
});
