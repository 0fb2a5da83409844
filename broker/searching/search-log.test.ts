import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { openDatabase } from '../../store/index.ts';
import { scratch } from '../testing/topic.ts';
import { SearchLog } from './search-log.ts';

const all = { noHits: false, limit: 100 };

test('queries are counted, those without hits separately, and survive a restart', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'log'));
  const clock = new ManualClock(Date.UTC(2026, 2, 4));
  const log = await SearchLog.open(database, clock);
  for (const [query, total] of [
    ['Vacuum  full', 3],
    ['vacuum full', 2],
    ['zebra', 0],
    ['', 9],
  ] as const) {
    log.record(query, total);
    clock.advance(5_000);
  }
  const expected = {
    ...{ searches: 3, withoutHits: 1 },
    queries: [
      { query: 'vacuum full', count: 2, withoutHits: 0, lastDay: '2026-03-04' },
      { query: 'zebra', count: 1, withoutHits: 1, lastDay: '2026-03-04' },
    ],
  };
  assert.deepEqual(log.report(all), expected);
  assert.deepEqual(
    log.report({ noHits: true, limit: 5 }).queries.map(({ query }) => query),
    ['zebra'],
  );
  await log.flush();
  assert.deepEqual((await SearchLog.open(database, clock)).report(all), expected);
});

test('a log that closes counts the last searches', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'log'));
  const clock = new ManualClock();
  const log = await SearchLog.open(database, clock);
  log.record('vacuum', 1);
  await log[Symbol.asyncDispose]();
  assert.equal((await SearchLog.open(database, clock)).report(all).searches, 1);
});

test('of a query that grows while typed only the last state counts', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'log'));
  const clock = new ManualClock();
  const log = await SearchLog.open(database, clock);
  for (const typed of ['v', 'va', 'vac', 'other', 'vacu', 'vacuum', 'vacuu', 'vacuum']) {
    log.record(typed, 1);
    clock.advance(200);
  }
  assert.deepEqual(log.report(all).queries, [], 'not settled yet');
  clock.advance(3_000);
  assert.deepEqual(
    log.report(all).queries.map(({ query, count }) => [query, count]),
    [
      ['other', 1],
      ['vacuum', 1],
    ],
  );
});

test('a repeated query is counted again', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'log'));
  const clock = new ManualClock();
  const log = await SearchLog.open(database, clock);
  for (let turn = 0; turn < 5; turn++) {
    log.record('vacuum', 1);
    clock.advance(1_200);
  }
  clock.advance(3_000);
  assert.equal(log.report(all).searches, 5);
});

test('different queries are bounded; frequent ones stay', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'log'));
  const clock = new ManualClock();
  const log = await SearchLog.open(database, clock);
  const record = (query: string) => {
    log.record(query, 0);
    clock.advance(3_000);
  };
  record('kept');
  record('kept');
  for (let index = 0; index < 10_500; index++) record(`q${index}x`);
  await log.flush();
  let rows = 0;
  for await (const _key of database.keys()) rows++;
  assert.ok(rows <= 10_001 && rows > 8_000, `${rows} rows`);
  const report = (await SearchLog.open(database, clock)).report({ noHits: true, limit: 1 });
  assert.equal(report.queries[0]?.query, 'kept');
  assert.equal(report.searches, 10_502);
  record('x'.repeat(10_000));
  assert.ok(log.report({ noHits: false, limit: 20_000 }).queries.every(({ query }) => query.length <= 120));
});
