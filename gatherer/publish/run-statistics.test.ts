import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import { unreadable } from '../enumerate/folder/folder-walk.ts';
import { reasonOf } from '../errors.ts';
import { Tally } from './run-statistics.ts';

test('one archive full of refusals hides no other, and each has its code', () => {
  const tally = new Tally();
  for (let n = 0; n < 5000; n++) tally.refuse(`http://x/bomb.zip#${n}`, 'UNNEST_RATIO', `member ${n}`);
  tally.refuse('http://x/other.tar#a', 'UNNEST_PATH', 'it climbs');
  for (let n = 0; n < 100; n++) tally.refuse(`http://x/${n}.gz`, 'UNNEST_BROKEN', 'it ends early');
  const { refused, refusals } = tally.report({ ms: 0, objects: 0 });
  assert.equal(refused, 5101);
  assert.equal(refusals.length, 20);
  assert.equal(refusals.filter(({ url }) => url.startsWith('http://x/bomb.zip#')).length, 5);
  assert.deepEqual(refusals[5], { url: 'http://x/other.tar#a', code: 'UNNEST_PATH', reason: 'it climbs' });
  assert.equal(refusals.filter(({ code }) => code === 'UNNEST_BROKEN').length, 14);
});

test('the first URLs left out by each rule are named, an archive once', () => {
  const tally = new Tally();
  for (let n = 0; n < 1000; n++) tally.skip(`http://x/${n}`, 'a rule');
  for (let n = 0; n < 9; n++) tally.skip('http://x/all.zip', 'another');
  tally.skip(`http://x/${'y'.repeat(5000)}`, 'another');
  const { skipped, firstSkipped } = tally.report({ ms: 0, objects: 0 });
  assert.deepEqual(skipped, { 'a rule': 1000, another: 10 });
  assert.deepEqual(
    firstSkipped['a rule'],
    [0, 1, 2, 3, 4].map((n) => `http://x/${n}`),
  );
  assert.deepEqual(
    firstSkipped.another?.map(({ length }) => length),
    ['http://x/all.zip'.length, 500],
  );
});

test('a file that cannot be read is named once', () => {
  let refused: unknown;
  try {
    openSync('/nowhere/it’s a file', 'r');
  } catch (error) {
    refused = error;
  }
  const error = unreadable('/nowhere/it’s a file', refused);
  assert.equal(error.message, '/nowhere/it’s a file could not be read: ENOENT: no such file or directory');
  assert.equal(reasonOf(error), 'ENOENT: no such file or directory');
  const tally = new Tally();
  tally.failWhole('file:///nowhere/', error);
  tally.failWhole('a name', error);
  assert.deepEqual(
    tally.report({ ms: 0, objects: 0 }).failures.map(({ reason }) => reason.replace(/ \(.*/, '')),
    [reasonOf(error), error.message],
  );
});

test('cumulative counts of the clients are reported as the increase of one run', () => {
  const before = {
    answers: { 200: 5, 304: 7 },
    mapped: { local: 3, network: { 'no such file': 1 } },
    waited: { 'gatherer.cpu-share': 100.4, 'gatherer.read-rate': 0 },
  };
  const after = {
    answers: { 200: 5, 304: 9, 404: 1 },
    mapped: { local: 10, network: { 'no such file': 1, 'it has a query': 2 } },
    waited: { 'gatherer.cpu-share': 351.2, 'gatherer.read-rate': 0.2 },
  };
  const report = new Tally().report({ ms: 0, objects: 0, counts: [before, after] });
  assert.deepEqual(report.answers, { 304: 2, 404: 1 });
  assert.deepEqual(report.mapped, { local: 7, network: { 'it has a query': 2 } });
  assert.deepEqual(report.waited, { 'gatherer.cpu-share': 251 });
  const none = new Tally().report({ ms: 0, objects: 0 });
  assert.deepEqual([none.answers, none.mapped, none.waited], [{}, { local: 0, network: {} }, {}]);
});
