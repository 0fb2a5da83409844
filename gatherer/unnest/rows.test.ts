import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRecords, jsonLineRecords } from '../../readers/records/index.ts';
import { UnnestBudget } from './budget.ts';
import { explodableFormat, explode, explodedByDefault } from './explode.ts';

function rows(text: string) {
  const found: unknown[] = [];
  for (const { path, fields } of csvRecords(text)) found.push([path, ...fields]);
  return found;
}

test('CSV: quotes, line ends in cells, missing and surplus cells; the header names the fields', () => {
  assert.deepEqual(rows('\ufeffName,Note,\r\n"Do, e","a ""q"" b",3\r\n\r\nx,"two\nlines"\r\ny,,,5\r\n'), [
    ['1', ['name', 'Do, e'], ['note', 'a "q" b'], ['column-3', '3']],
    ['2', ['name', 'x'], ['note', 'two\nlines']],
    ['3', ['name', 'y'], ['column-4', '5']],
  ]);
});

test('CSV: semicolons and tabs separate where the header has more of them', () => {
  assert.deepEqual(rows('a;b\n1,5;2\n'), [['1', ['a', '1,5'], ['b', '2']]]);
  assert.deepEqual(rows('a\tb\n1\t2\n'), [['1', ['a', '1'], ['b', '2']]]);
  assert.deepEqual(rows(''), []);
});

test('JSON lines: fields of objects, other values whole, invalid lines ignored', () => {
  const records = [...jsonLineRecords(Buffer.from('{"A":1,"b":"x","c":[1]}\n\nno\n[1]\r\n{"d":true}'))];
  assert.deepEqual(
    records.map(({ path, fields }) => [path, ...fields]),
    [['1', ['a', '1'], ['b', 'x']], ['4'], ['5', ['d', 'true']]],
  );
  assert.equal(Buffer.from(records[0]?.bytes ?? []).toString(), '{"A":1,"b":"x","c":[1]}');
});

test('lines that are not JSON are counted behind the records', async () => {
  const bytes = Buffer.from('{"a":1}\nno\n\n{"b":2}\n{"c":\n');
  const found: string[] = [];
  for await (const record of explode('jsonl', bytes, 'x.jsonl', new UnnestBudget(bytes.length, {})))
    found.push('error' in record ? record.error.message : record.path);
  assert.deepEqual(found, ['1', '4', 'x.jsonl could not be unpacked: lines that are not JSON: 2.']);
});

test('formats that are exploded, and formats only on request', () => {
  const from = Buffer.from('From a@example.org Sat Nov 21 11:13:50 2026\n');
  assert.equal(explodableFormat('Mail', from, 'x'), 'mbox');
  assert.equal(explodableFormat('Mail', Buffer.from('Subject: x\n'), 'x.eml'), undefined);
  assert.equal(explodableFormat('Bibliographic', Buffer.from('@book{'), 'x.bib'), 'bibtex');
  assert.equal(explodableFormat('Bibliographic', Buffer.from('TY  - JOUR'), 'x'), 'ris');
  assert.equal(explodableFormat('Bibliographic', Buffer.from('%A Doe\n%T Title\n'), 'x.refer'), undefined);
  assert.equal(explodableFormat('JSON', Buffer.from('{}'), 'x.jsonl'), 'jsonl');
  assert.equal(explodableFormat('JSON', Buffer.from('{}'), 'x.json'), undefined);
  assert.equal(explodableFormat('Data', Buffer.from('a,b'), 'x.csv'), 'csv');
  assert.deepEqual([...explodedByDefault].sort(), ['bibtex', 'mbox', 'ris']);
});

test('records beyond the budget end a file with its error', async () => {
  const text = Array.from({ length: 50 }, (_, index) => `@misc{k${index}, title = {T}}`).join('\n');
  const found: string[] = [];
  const budget = new UnnestBudget(text.length, { maxMembers: 20 });
  for await (const record of explode('bibtex', Buffer.from(text), 'x.bib', budget))
    found.push('error' in record ? record.error.code : record.path);
  assert.deepEqual([found.length, found.at(-1)], [21, 'UNNEST_COUNT']);
});
