import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../kernel/index.ts';
import { originFailed, requestAnswered } from './events.ts';
import { openBench, textOf } from './object-cache-fixture.test.ts';

const said = (code: string) => (error: unknown) => isGarnerError(error, { code });

/** What happens while a cache is asked: decisions that are published, and origins that are told of. */
function watched() {
  const decisions: string[] = [];
  const origins: string[] = [];
  const stops = [
    requestAnswered.subscribe(({ decision, status }) =>
      decisions.push(`${decision.outcome} ${decision.rule} ${status} ${decision.error?.code ?? 'no error'}`),
    ),
    originFailed.subscribe(({ origin, reason }) => origins.push(`${origin}: ${reason}`)),
  ];
  return {
    ...{ decisions, origins },
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}

test('a request whose origin does not answer is a decision: remembered with what failed, counted, and told', async () => {
  await using bench = await openBench((_, response) => void response.end('a'));
  using told = watched();
  await bench.stopOrigin();
  for (const method of ['GET', 'POST'])
    await assert.rejects(bench.ask('/x', { method }), said('CACHE_UNREACHABLE'));
  const { failed, refused, miss, pass } = bench.opened.cache.counts();
  assert.deepEqual([failed, refused, miss, pass], [2, 0, 0, 0]);
  assert.deepEqual(told.decisions, Array(2).fill('failed no-answer 502 CACHE_UNREACHABLE'));
  const reason = `${bench.url('/x')} cannot be reached: nothing listens there`;
  assert.deepEqual(told.origins, [`${bench.url('')}: ${reason}`]);
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/x'), fields: [] });
  assert.deepEqual(
    recent.map(({ method, outcome, status, rule, error }) => [method, outcome, status, rule.name, error]),
    ['POST', 'GET'].map((method) => [
      ...[method, 'failed', 502, 'no-answer'],
      { code: 'CACHE_UNREACHABLE', reason },
    ]),
  );
});

test('what the cache itself refuses is remembered and counted as refused, and no origin is to blame', async () => {
  await using bench = await openBench((_, response) => void response.end('a'));
  using told = watched();
  const onlyStored = bench.ask('/x', { fields: ['Cache-Control', 'only-if-cached'] });
  await assert.rejects(onlyStored, said('CACHE_ONLY_IF_CACHED'));
  await assert.rejects(bench.ask('/x', { fields: ['Via', '1.1 bench'] }), said('CACHE_LOOP'));
  assert.deepEqual(told.decisions, [
    'refused only-if-cached 504 CACHE_ONLY_IF_CACHED',
    'refused loop 508 CACHE_LOOP',
  ]);
  assert.deepEqual(told.origins, []);
  assert.equal(bench.opened.cache.counts().refused, 2);
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/x'), fields: [] });
  assert.deepEqual(
    recent.map(({ rule }) => rule.name),
    ['loop', 'only-if-cached'],
  );
});

test('a stale answer that stands in tells what failed', async () => {
  await using bench = await openBench((_, response) => {
    response.setHeader('cache-control', 'max-age=1, stale-if-error=600');
    response.end('a');
  });
  await textOf(await bench.ask('/stale'));
  bench.clock.advance(5000);
  using told = watched();
  await bench.stopOrigin();
  assert.equal((await bench.ask('/stale')).status, 200);
  assert.deepEqual(told.decisions, ['stale-on-error stale-if-error 200 CACHE_UNREACHABLE']);
  assert.equal(told.origins.length, 1);
  assert.equal(bench.opened.cache.counts().failed, 0);
});

test('a client that leaves is told nothing, and no failure is counted', async () => {
  await using bench = await openBench(() => undefined);
  using told = watched();
  const leaving = new AbortController();
  const asked = bench.ask('/x', { signal: leaving.signal });
  const left = assert.rejects(asked, { name: 'AbortError' });
  leaving.abort();
  await left;
  assert.deepEqual(told.decisions, []);
  assert.equal(bench.opened.cache.counts().failed, 0);
});
