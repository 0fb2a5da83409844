import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { requestWaits } from '../events.ts';
import { HostGates } from './host-gates.ts';

test('a wait for a host is reported with its reason', async () => {
  const clock = new ManualClock(0);
  const gates = new HostGates(clock, 4);
  const waits: unknown[] = [];
  const stop = requestWaits.subscribe((wait) => waits.push(wait));
  const { signal } = new AbortController();
  const enter = () => gates.enter('a.example', { delayMs: 3000, perHost: 4 }, signal);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  try {
    (await enter())();
    assert.deepEqual(waits, []);
    const second = enter();
    await turn();
    assert.deepEqual(waits, [{ host: 'a.example', ms: 3000, held: false }]);
    clock.advance(3000);
    (await second)();
    gates.hold('a.example', 60_000);
    const third = enter();
    await turn();
    assert.deepEqual(waits.at(-1), { host: 'a.example', ms: 60_000, held: true });
    clock.advance(60_000);
    (await third)();
    assert.equal(waits.length, 2);
  } finally {
    stop();
  }
});
