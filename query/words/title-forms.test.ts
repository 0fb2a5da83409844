import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { parseQuery, typedText } from '../index.ts';
import { fileNames, signedForm, stemmedForm, titleParts, typedForm } from './title-forms.ts';

test('the parts of a title leave out the site, the number of the section and what is in parentheses', () => {
  for (const [title, ...parts] of [
    ['Getting started'],
    ['Getting started - Garner', 'getting started', 'garner'],
    ['Garner | Getting started', 'garner', 'getting started'],
    ['3.2 Getting started', 'getting started'],
    ['Chapter 4. Getting started', 'getting started'],
    ['ls(1)', 'ls'],
    ['PostgreSQL: Documentation: 14.1. Using EXPLAIN', 'postgresql', 'documentation', '14 1 using explain'],
    ['os.path — Common pathname manipulations', 'os path', 'common pathname manipulations'],
    ['100 ways', 'ways'],
    ['- | -'],
  ] as const)
    assert.deepEqual(titleParts(title).slice(0, Math.max(parts.length, 0)), parts, title);
  assert.deepEqual(titleParts('Getting started'), []);
  assert.deepEqual(titleParts('x - '.repeat(10_000)).length <= 6, true);
});

test('a form of a title is its words, its stems, or its words with their signs', () => {
  assert.equal(typedForm('  Café, au   LAIT!'), 'cafe au lait');
  assert.equal(stemmedForm('Running shoes', 'en'), stemmedForm('run shoe', 'en'));
  assert.equal(signedForm(' Node.JS  API '), 'node.js api');
  assert.ok(typedForm('long '.repeat(1000)).length <= 120);
});

test('the typed text of a query is its bare words in order, without what only restricts them', () => {
  for (const [q, text, isOpen] of [
    ['getting started', 'getting started', false],
    ['"getting started" Type: HTML -old', 'getting started', false],
    ['.NET C++', '.NET C++', false],
    ['getting sta*', 'getting sta', true],
    ['Title: started', 'started', false],
  ] as const)
    assert.deepEqual(typedText(parseQuery(q).query), { text, isOpen }, q);
  for (const q of ['one OR two', 'a NEAR b', '/re/', 'sta* getting', '-x'])
    assert.equal(typedText(parseQuery(q).query), undefined, q);
  const car = { kind: 'word', word: 'car' } as const;
  const synonym = { kind: 'word', word: 'auto', weight: 0.5 } as const;
  assert.deepEqual(typedText({ kind: 'or', operands: [car, synonym] }), { text: 'car', isOpen: false });
});

test('the name of a file is the last part of its address, without and with its extension', () => {
  for (const [address, ...names] of [
    ['http://h/a/cli.md', 'cli', 'cli md'],
    ['https://h/Getting_Started.html?x=1#y', 'getting started', 'getting started html'],
    ['http://h/guide/index.html', 'guide'],
    ['http://h/guide/', 'guide'],
    ['http://h/caf%C3%A9-menu.PDF', 'cafe menu', 'cafe menu pdf'],
    ['http://h/v1.2.3', 'v1 2 3'],
    ['http://h/index.html'],
    ['http://h.example'],
    ['http://h/%FF%FE.txt'],
    ['-'],
    ['mailto:a@b'],
  ] as const)
    assert.deepEqual(fileNames(address), names, address);
  assert.ok((fileNames(`http://h/${'long-'.repeat(500)}.md`)[0] ?? '').length <= 120);
});

test('a title of any length takes time in proportion', async () => {
  for (const unit of ['()', ' ', ': ', '- ', '1.'])
    await assertCpuMs(2_000, () => titleParts(`${unit.repeat(150_000)}a`), JSON.stringify(unit));
});
