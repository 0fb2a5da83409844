import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestRetried, requestWaits } from '../../fetch/events.ts';
import { LoadBudget } from '../../gatherer/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { reportWaits, WaitWatch } from './wait-notices.ts';

test('a wait is reported while it lasts, the longest of several, and short ones are not', () => {
  const clock = new ManualClock(0);
  using waits = new WaitWatch(clock);
  assert.equal(waits.words(true), '');
  requestWaits.publish({ host: 'a.example', ms: 1000, held: false });
  assert.equal(waits.words(true), '');
  requestWaits.publish({ host: 'a.example', ms: 30_000, held: true });
  requestRetried.publish({ url: 'http://b/\u001b[31m', attempt: 1, delayMs: 5000, why: 'status 503' });
  assert.equal(waits.words(true), ' · waiting 30 s for a.example, as its Retry-After demands');
  clock.advance(10_000);
  assert.match(waits.words(true), /waiting 20 s/);
  assert.match(waits.words(false), /waiting 30 s/);
  clock.advance(20_000);
  assert.equal(waits.words(true), '');
  requestRetried.publish({ url: 'http://b/\u001b[31m', attempt: 1, delayMs: 5000, why: 'status 503' });
  assert.equal(waits.words(true), ' · waiting 5 s to retry http://b/ (status 503)');
});

test('the load budget tells which setting is waited for', async () => {
  const clock = new ManualClock(0);
  using waits = new WaitWatch(clock);
  const limits = { cpuShare: 100, cores: 1, readRate: 1000, requestRate: 0.1, clock };
  const budget = new LoadBudget(limits);
  const paid = budget.spend(10_999);
  assert.match(waits.words(true), /waiting 10 s for gatherer\.read-rate$/);
  clock.advance(10_001);
  await paid;
  const { requests } = budget;
  requests?.take();
  const turn = requests?.waitUntil(requests.take());
  assert.match(waits.words(true), /waiting 10 s for gatherer\.request-rate$/);
  clock.advance(10_001);
  await turn;
});

test('a log has a line every few seconds at most, and the same one once a minute', () => {
  const clock = new ManualClock(0);
  const lines: string[] = [];
  const stop = reportWaits(clock, (line) => lines.push(line));
  const wait = (host: string) => requestWaits.publish({ host, ms: 4000, held: false });
  for (let second = 0; second < 120; second++) {
    wait('a.example');
    clock.advance(1000);
  }
  assert.deepEqual(lines, Array(2).fill('waiting 4 s between two requests to a.example'));
  lines.length = 0;
  for (let second = 0; second < 20; second++) {
    wait(`${second}.example`);
    clock.advance(1000);
  }
  assert.equal(lines.length, 4);
  stop();
  clock.advance(100_000);
  wait('z.example');
  assert.equal(lines.length, 4);
});
