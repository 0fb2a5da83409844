import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../manual-pages.ts';
import { casesFolder } from './tried.ts';

const caseName = (kind: 'a' | 'b', number: number) => `${kind}${String(number).padStart(2, '0')}`;

/** The cases of the Broker's readers and of attackers; the missing numbers were found right. */
const otherCases = [
  ...[
    1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25, 26, 29, 30, 31, 32, 34, 35,
    36,
  ].map((number) => caseName('b', number)),
  ...Array.from({ length: 12 }, (_, at) => caseName('a', at + 1)),
];

test('every case of the Broker and of the attacks has a test whose title has its number', () => {
  const tested = new Set<string>();
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.test\.ts$/.test(path) || /(?:^|\/)(?:node_modules|dist)\//.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, numbers = ''] of text.matchAll(/\btest\(\s*[`'"](cases? [^:\n]*):/g))
      for (const [number] of numbers.matchAll(/\b[ab]\d\d\b/g)) tested.add(number);
  }
  assert.deepEqual(
    otherCases.filter((number) => !tested.has(number)),
    [],
  );
});

test('every case of the Gatherer has a test that carries its number', () => {
  const sources = ['test/cases', 'gatherer/enumerate/folder']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((path) => path.endsWith('.deep.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
  const tested = new Set([...sources.matchAll(/\bcase (\d\d)\b/g)].map(([, number]) => number));
  const cases = readdirSync(casesFolder).map((name) => name.slice(0, 2));
  assert.deepEqual(
    cases.filter((number) => !tested.has(number)),
    [],
  );
});
