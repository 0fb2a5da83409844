import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { requestAnswered } from '../events.ts';
import type { Decision } from '../requests/decision.ts';
import type { CacheAnswer, CacheRequest } from '../requests/request-response.ts';
import { latencyBoundsMs, RequestStatistics } from './request-statistics.ts';

const answer: CacheAnswer = { status: 200, reason: 'OK', fields: [] };

const asked = (clientAddress = '192.0.2.1', fromCache = false, via?: string): CacheRequest => ({
  ...{
    method: 'GET',
    url: 'http://o.example/',
    fields: via === undefined ? [] : ['Via', via],
    version: '1.1',
    clientAddress,
    fromCache,
  },
  signal: new AbortController().signal,
});

/** Statistics with manual clocks; `ask` counts one answer of the given duration. */
function tallied() {
  const clock = new ManualClock();
  let elapsed = 0;
  const tally = new RequestStatistics(clock, () => elapsed);
  const ask = async (outcome: Decision['outcome'], ms = 0, request = asked()) => {
    await tally.counting(async () => {
      elapsed += ms;
      const decision: Decision = { outcome, rule: 'fresh' };
      requestAnswered.publish({ request, decision, status: 200, bytes: 5 });
      return answer;
    })(request);
  };
  return { clock, tally, ask };
}

test('answers are counted by minute, and by their source', async () => {
  const { clock, tally, ask } = tallied();
  await ask('hit');
  await ask('miss');
  clock.advance(60_000);
  await ask('validated');
  const { minutes } = tally.read();
  assert.deepEqual(
    minutes.map(({ requests, fromHere }) => [requests, fromHere]),
    [
      [2, 1],
      [1, 1],
    ],
  );
  assert.ok(minutes.every(({ atMs }) => atMs % 60_000 === 0));
  tally[Symbol.dispose]();
});

test('however long it runs, two hours of minutes and so many children are kept', async () => {
  const { clock, tally, ask } = tallied();
  for (let at = 0; at < 300; at++) {
    await ask('hit', 0, asked(`child ${at}`, true));
    clock.advance(60_000);
  }
  const { minutes, children } = tally.read();
  assert.equal(minutes.length, 120);
  assert.equal(children.length, 250);
  assert.deepEqual([children[0]?.address, children.at(-1)?.address], ['child 299', 'child 50']);
  tally[Symbol.dispose]();
});

test('clients are no children, and a child is one however often it asks', async () => {
  const { tally, ask } = tallied();
  await ask('hit', 0, asked('192.0.2.1'));
  await ask('hit', 0, asked('192.0.2.2', true));
  await ask('miss', 0, asked('192.0.2.2', true));
  const [child, ...others] = tally.read().children;
  assert.deepEqual([child?.address, child?.requests, child?.fromHere], ['192.0.2.2', 2, 1]);
  assert.deepEqual(others, []);
  tally[Symbol.dispose]();
});

test('caches at one address are distinguished by their names, up to a limit', async () => {
  const { tally, ask } = tallied();
  await ask('hit', 0, asked('127.0.0.1', true, '1.1 far, 1.1 near (squid, and more)'));
  await ask('hit', 0, asked('127.0.0.1', true, '1.0 other'));
  await ask('miss', 0, asked('127.0.0.1', true, '1.1 near'));
  const { children } = tally.read();
  assert.deepEqual(
    children.map(({ name, address, requests, fromHere }) => [name, address, requests, fromHere]),
    [
      ['near', '127.0.0.1', 2, 1],
      ['other', '127.0.0.1', 1, 1],
    ],
  );
  for (let at = 0; at < 1000; at++) await ask('hit', 0, asked('127.0.0.1', true, `1.1 made-up-${at}`));
  await ask('hit', 0, asked('127.0.0.1', true, '1.1 near'));
  await ask('hit', 0, asked('192.0.2.1', true));
  const many = tally.read().children;
  assert.equal(many.length, 52);
  assert.deepEqual(
    many.slice(0, 3).map(({ name, requests }) => [name, requests]),
    [
      [null, 1],
      ['near', 3],
      [null, 952],
    ],
  );
  tally[Symbol.dispose]();
});

test('every time is counted once, below the first bound that it does not exceed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 30 }), async (times) => {
      const { tally, ask } = tallied();
      for (const ms of times) await ask('miss', ms);
      const { counts, sumMs } = tally.read().latency.others;
      const bounds = [...latencyBoundsMs, Number.POSITIVE_INFINITY];
      const expected = bounds.map(
        (bound, at) => times.filter((ms) => ms <= bound && ms > (bounds[at - 1] ?? -1)).length,
      );
      assert.deepEqual(counts, expected);
      assert.equal(
        sumMs,
        times.reduce((sum, one) => sum + one, 0),
      );
      tally[Symbol.dispose]();
    }),
  );
});

test('an answer that fails is counted by its code, and thrown on', async () => {
  const { tally } = tallied();
  const failing = (error: unknown) => tally.counting(() => Promise.reject(error))(asked());
  const silent = Object.assign(new Error('x'), { code: 'CACHE_SILENT' });
  await assert.rejects(failing(silent), silent);
  await assert.rejects(failing(silent), silent);
  await assert.rejects(failing(new TypeError('a slip')), TypeError);
  assert.deepEqual(tally.read().errors, { CACHE_SILENT: 2, CACHE_INTERNAL: 1 });
  assert.equal(tally.read().minutes[0]?.requests, 3);
  tally[Symbol.dispose]();
});

test('a failed answer is counted once, reported or not, and one without a waiting client never', async () => {
  const { tally } = tallied();
  const request = asked();
  const silent = Object.assign(new Error('x'), { code: 'CACHE_SILENT' });
  const failing = tally.counting(async () => {
    const decision: Decision = { outcome: 'failed', rule: 'no-answer' };
    requestAnswered.publish({ request, decision, status: 504, bytes: undefined });
    throw silent;
  });
  await assert.rejects(failing(request), silent);
  const left = { ...asked(), signal: AbortSignal.abort() };
  await assert.rejects(tally.counting(() => Promise.reject(left.signal.reason))(left));
  const { errors, minutes, latency } = tally.read();
  assert.deepEqual(errors, { CACHE_SILENT: 1 });
  assert.equal(minutes[0]?.requests, 1);
  assert.equal(latency.others.sumMs, 0);
  tally[Symbol.dispose]();
});

test('answers of other caches in the process are not counted', () => {
  const { tally } = tallied();
  const decision: Decision = { outcome: 'hit', rule: 'fresh' };
  requestAnswered.publish({ request: asked(), decision, status: 200, bytes: 5 });
  assert.deepEqual(tally.read().minutes, []);
  tally[Symbol.dispose]();
});

test('hits that were answered by another way are counted with their minute and their time', () => {
  const { tally } = tallied();
  tally.hits(3, 0.5);
  tally.hits(2, 1.5);
  const { latency, minutes } = tally.read();
  assert.deepEqual(latency.fromHere.counts.slice(0, 3), [3, 2, 0]);
  assert.equal(latency.fromHere.sumMs, 4.5);
  assert.deepEqual([minutes[0]?.requests, minutes[0]?.fromHere], [5, 5]);
  tally[Symbol.dispose]();
});
