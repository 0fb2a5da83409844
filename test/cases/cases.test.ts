import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../manual-pages.ts';
import { casesFolder } from './tried.ts';

test('every case of the Gatherer has a test that carries its number', {
  todo: 'the Gatherer is being mended',
}, () => {
  const here = join(root, 'test', 'cases');
  const sources = readdirSync(here)
    .filter((name) => name.endsWith('.deep.test.ts'))
    .map((name) => readFileSync(join(here, name), 'utf8'))
    .join('');
  const tested = new Set([...sources.matchAll(/\bcase (\d\d)\b/g)].map(([, number]) => number));
  const cases = readdirSync(casesFolder).map((name) => name.slice(0, 2));
  assert.deepEqual(
    cases.filter((number) => !tested.has(number)),
    [],
  );
});
