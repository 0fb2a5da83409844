import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, ManualClock } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { originFailed } from '../events.ts';
import { OriginFailures } from './origin-failures.ts';

const silent = (url: string) => failure(cacheErrors.CACHE_SILENT, { url, why: 'no head' });

function watched() {
  const clock = new ManualClock();
  const reported: string[] = [];
  const stop = originFailed.subscribe(({ origin, code, times }) =>
    reported.push(`${origin} ${code} ${times}`),
  );
  return { clock, reported, troubles: new OriginFailures(clock), [Symbol.dispose]: stop };
}

test('an origin that fails is reported at once, and then once a minute with the number of failures', () => {
  using watch = watched();
  const { clock, reported, troubles } = watch;
  const fail = () => troubles.note('http://a.example:81/x?y', silent('http://a.example:81/x?y'));
  for (let second = 0; second < 90; second++) {
    fail();
    clock.advance(1000);
  }
  troubles.note('http://b.example/', silent('http://b.example/'));
  assert.deepEqual(reported, [
    'http://a.example:81 CACHE_SILENT 1',
    'http://a.example:81 CACHE_SILENT 60',
    'http://b.example CACHE_SILENT 1',
  ]);
});

test('requests for hosts that do not exist do not fill the log', () => {
  using watch = watched();
  const { clock, reported, troubles } = watch;
  for (let host = 0; host < 5000; host++) troubles.note(`http://h${host}/`, silent('x'));
  assert.equal(reported.length, 30);
  clock.advance(60_000);
  troubles.note('http://h4999/', silent('x'));
  assert.equal(reported.at(-1), 'http://h4999 CACHE_SILENT 2');
});

test('an error that is no fault of a server is not reported as one', () => {
  using watch = watched();
  watch.troubles.note(
    'http://a/',
    failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url: 'http://a/', why: 'its address is private' }),
  );
  watch.troubles.note('http://a/', new TypeError('a slip'));
  assert.deepEqual(watch.reported, []);
});
