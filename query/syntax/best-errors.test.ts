import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryObject } from '../../soif/index.ts';
import { matches } from '../matching/evaluator.ts';
import { resolveBest } from './best-errors.ts';
import { parseQuery } from './parser.ts';
import { printQuery } from './printer.ts';

const store = ['reverse proxies', 'load balancer', 'window functions'].map((title) =>
  summaryObject('-', [['Title', title]]),
);
const asked: string[] = [];
const resolved = async (text: string) =>
  printQuery(
    await resolveBest(parseQuery(text).query, async (query) => {
      asked.push(printQuery(query));
      return store.some((object) => matches(object, query));
    }),
  );

test('best is the least number of errors with which the whole query matches something', async () => {
  assert.equal(await resolved('window~best'), 'window~0');
  assert.equal(await resolved('vindow~best'), 'window~1'.replace('w', 'v'));
  assert.equal(await resolved('Title: balonser~best'), 'Title: balonser~2');
  // Both take the same number, and the rest of the query must match as well.
  assert.equal(await resolved('vindow~best functions'), 'vindow~1 AND functions');
  assert.equal(await resolved('vindow~best AND fanctionz~best'), 'vindow~2 AND fanctionz~2');
  assert.equal(await resolved('"laod balancer~best"'), '"laod balancer~8"');
  assert.equal(await resolved('(vindow~best NEAR/0 functions)'), 'vindow~1 NEAR/0 functions');
  assert.equal(await resolved('NOT window~best'), 'NOT window~0');
});

test('a query without best needs no search', async () => {
  asked.length = 0;
  assert.equal(await resolved('window~2 OR pre*'), 'window~2 OR pre*');
  assert.deepEqual(asked, []);
});
