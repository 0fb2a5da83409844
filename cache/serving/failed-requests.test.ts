import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { answerBroken, originFailed, requestAnswered } from '../events.ts';
import { RequestStatistics } from '../reporting/request-statistics.ts';
import type { CacheRequest } from '../requests/request-response.ts';
import { type Bench, openBench, textOf } from '../testing/object-cache.ts';

const said = (code: string) => (error: unknown) => isGarnerError(error, { code });

/** The events of a cache: published decisions, and reported origins. */
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

test('a request whose origin does not answer is a decision: recorded with the failure, counted, and reported', async () => {
  await using bench = await openBench((_, response) => void response.end('a'));
  using reported = watched();
  await bench.stopOrigin();
  for (const method of ['GET', 'POST'])
    await assert.rejects(bench.ask('/x', { method }), said('CACHE_UNREACHABLE'));
  const { failed, refused, miss, pass } = bench.opened.cache.counts();
  assert.deepEqual([failed, refused, miss, pass], [2, 0, 0, 0]);
  assert.deepEqual(reported.decisions, Array(2).fill('failed no-answer 502 CACHE_UNREACHABLE'));
  const reason = `${bench.url('/x')} cannot be reached: nothing listens there`;
  assert.deepEqual(reported.origins, [`${bench.url('')}: ${reason}`]);
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/x'), fields: [] });
  assert.deepEqual(
    recent.map(({ method, outcome, status, rule, error }) => [method, outcome, status, rule.name, error]),
    ['POST', 'GET'].map((method) => [
      ...[method, 'failed', 502, 'no-answer'],
      { code: 'CACHE_UNREACHABLE', reason },
    ]),
  );
});

test('a refusal of the cache itself is recorded and counted as refused, and no origin is to blame', async () => {
  await using bench = await openBench((_, response) => void response.end('a'));
  using reported = watched();
  const onlyStored = bench.ask('/x', { fields: ['Cache-Control', 'only-if-cached'] });
  await assert.rejects(onlyStored, said('CACHE_ONLY_IF_CACHED'));
  await assert.rejects(bench.ask('/x', { fields: ['Via', '1.1 bench'] }), said('CACHE_LOOP'));
  assert.deepEqual(reported.decisions, [
    'refused only-if-cached 504 CACHE_ONLY_IF_CACHED',
    'refused loop 508 CACHE_LOOP',
  ]);
  assert.deepEqual(reported.origins, []);
  assert.equal(bench.opened.cache.counts().refused, 2);
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/x'), fields: [] });
  assert.deepEqual(
    recent.map(({ rule }) => rule.name),
    ['loop', 'only-if-cached'],
  );
});

test('a stale answer in place of a failed one records the failure', async () => {
  await using bench = await openBench((_, response) => {
    response.setHeader('cache-control', 'max-age=1, stale-if-error=600');
    response.end('a');
  });
  await textOf(await bench.ask('/stale'));
  bench.clock.advance(5000);
  using reported = watched();
  await bench.stopOrigin();
  assert.equal((await bench.ask('/stale')).status, 200);
  assert.deepEqual(reported.decisions, ['stale-on-error stale-if-error 200 CACHE_UNREACHABLE']);
  assert.equal(reported.origins.length, 1);
  assert.equal(bench.opened.cache.counts().failed, 0);
});

test('a client that disconnects gets no answer, and no failure is counted', async () => {
  const leaving = new AbortController();
  await using bench = await openBench(() => leaving.abort());
  using reported = watched();
  await assert.rejects(bench.ask('/x', { signal: leaving.signal }), { name: 'AbortError' });
  assert.deepEqual(reported.decisions, []);
  assert.equal(bench.opened.cache.counts().failed, 0);
});

/** A page of which the first three bytes of a hundred come, and then the end of the connection. */
const openBreaking = () =>
  openBench((request, response) => {
    const isPrivate = request.url === '/private';
    response.setHeader('cache-control', isPrivate ? 'private' : 'max-age=60');
    if (request.url !== '/chunked') response.setHeader('content-length', 100);
    response.write('abc', () => response.socket?.end());
  });

const latest = async ({ opened, url }: Bench, path: string) => {
  const { recent } = await opened.cache.explain({ url: url(path), fields: [] });
  const [one] = recent;
  if (one === undefined) return undefined;
  const { outcome, storedBy, brokenOff, error } = one;
  return { outcome, storedBy: storedBy?.name, brokenOff, code: error?.code };
};

test('an answer that breaks off is recorded, counted and reported, with its bytes', async () => {
  await using bench = await openBreaking();
  using reported = watched();
  const broken: unknown[] = [];
  const stop = answerBroken.subscribe(({ decision: { stored, brokenOff } }) =>
    broken.push({ stored, ...brokenOff }),
  );
  const tally = new RequestStatistics(bench.clock, () => 0);
  const answer = tally.counting((request) => bench.opened.cache.answer(request));
  for (const path of ['/sized', '/chunked', '/private']) {
    const request: CacheRequest = {
      ...{ method: 'GET', url: bench.url(path), fields: [], clientAddress: '127.0.0.1' },
      ...{ version: '1.1', fromCache: false, signal: new AbortController().signal },
    };
    await assert.rejects(textOf(await answer(request)), said('CACHE_BROKEN_OFF'));
  }
  stop();
  tally[Symbol.dispose]();
  const common = { outcome: 'miss', code: 'CACHE_BROKEN_OFF' };
  const sized = { ...common, brokenOff: { bytes: 3, of: 100 } };
  assert.deepEqual(await latest(bench, '/sized'), { ...sized, storedBy: 'broken-off' });
  assert.deepEqual(await latest(bench, '/private'), { ...sized, storedBy: 'private' });
  const unsized = { ...common, storedBy: 'broken-off', brokenOff: { bytes: 3, of: null } };
  assert.deepEqual(await latest(bench, '/chunked'), unsized);
  assert.deepEqual(broken, [
    { stored: false, bytes: 3, of: 100 },
    { stored: false, bytes: 3, of: undefined },
    { stored: undefined, bytes: 3, of: 100 },
  ]);
  const { brokenOff, miss, failed } = bench.opened.cache.counts();
  assert.deepEqual([brokenOff, miss, failed], [3, 3, 0]);
  assert.deepEqual(tally.read().errors, { CACHE_BROKEN_OFF: 3 });
  assert.equal(reported.origins.length, 1, 'the server is reported once');
  assert.equal(bench.opened.store.statistics().entries, 0);
});

test('every request that shares a fetch that breaks off is reported', async () => {
  let goOn = () => {};
  await using bench = await openBench((_, response) => {
    response.setHeader('cache-control', 'max-age=60');
    response.setHeader('content-length', 100);
    response.write('abc');
    goOn = () => response.socket?.end();
  });
  const first = await bench.ask('/x');
  const second = await bench.ask('/x');
  const both = Promise.allSettled([textOf(first), textOf(second)]);
  goOn();
  await both;
  const { recent } = await bench.opened.cache.explain({ url: bench.url('/x'), fields: [] });
  assert.deepEqual(
    recent.map(({ outcome, brokenOff }) => [outcome, brokenOff?.bytes]),
    [
      ['collapsed', 3],
      ['miss', 3],
    ],
  );
});

test('a client that leaves a large content blames no server, and the decision records that it was not stored', async () => {
  await using bench = await openBench(
    (_, response) => {
      response.setHeader('cache-control', 'max-age=60');
      response.setHeader('content-length', 32e6);
      response.write('abc');
    },
    { memoryBytes: 1e9, diskBytes: 1e9, largestEntryBytes: 64e6 },
  );
  using reported = watched();
  const leaving = new AbortController();
  const { content } = await bench.ask('/x', { signal: leaving.signal });
  const over = new Promise<void>((resolve) => {
    const stop = answerBroken.subscribe(() => {
      stop();
      resolve();
    });
  });
  assert.ok(content !== undefined && !(content instanceof Uint8Array));
  leaving.abort();
  await over;
  const seen = {
    outcome: 'miss',
    storedBy: 'rest-unwanted',
    brokenOff: { bytes: 3, of: 32e6 },
    code: undefined,
  };
  assert.deepEqual(await latest(bench, '/x'), seen);
  assert.deepEqual([bench.opened.cache.counts().brokenOff, reported.origins], [0, []]);
});
