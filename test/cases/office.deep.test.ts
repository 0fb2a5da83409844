import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributesOf } from './tried.ts';

test('case 49: a number with a format of dates is a date, in any file of Excel', async () => {
  const attributes = await attributesOf(49, 'x.xlsx');
  assert.match(attributes['Full-Text'] ?? '', /2024-02-15/);
});
