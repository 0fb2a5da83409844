import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../manual-pages.ts';
import { casesFolder } from './tried.ts';

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
