import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evictionPolicies } from '../../cache/testing/eviction-policies.ts';
import { seededRandom } from '../../kernel/index.ts';
import { replay, wholeSize } from './replay.ts';
import { oneHitPart, type Recorded, readCdnSample, readWeb07, zipfRequests } from './requests.ts';

const counted = (objects: readonly number[]) => ({
  objects: Uint32Array.from(objects),
  count: Math.max(...objects) + 1,
});

test('a replay counts a hit for each object that is still stored, and bytes where they are known', () => {
  const requests = counted([0, 1, 0, 2, 0, 1]);
  assert.equal(replay(requests, evictionPolicies.lru(), 2).hitRatio, 2 / 6);
  const weighed = { ...requests, bytes: Float64Array.of(10, 20, 30) };
  const { hitRatio, byteHitRatio } = replay(weighed, evictionPolicies.lru(), 2 ** 20);
  assert.equal(hitRatio, 3 / 6);
  assert.equal(byteHitRatio, 40 / 100);
  assert.equal(wholeSize(weighed), 60);
});

test('requests by Zipf have the requested part of one-hit wonders, and the same seed draws the same', () => {
  const options = { requests: 20_000, objects: 1000, exponent: 0.9, onceOnly: 0.2 };
  const requests = zipfRequests(options, seededRandom(1));
  assert.deepEqual(requests, zipfRequests(options, seededRandom(1)));
  const once = oneHitPart(requests) * requests.count;
  assert.ok(once > 3500 && once < 4500, `${once}`);
});

const zipf = () =>
  zipfRequests({ requests: 200_000, objects: 20_000, exponent: 0.9, onceOnly: 0.15 }, seededRandom(1995));

for (const [name, recorded] of [
  ['web07', readWeb07()],
  ['the sample of a CDN', readCdnSample()],
  ['Zipf 0.9 with one-hit wonders', zipf()],
] as const satisfies readonly (readonly [string, Recorded])[]) {
  const skip = 'absent' in recorded ? `SKIPPED: ${recorded.absent}` : false;
  test(`on ${name} a tenth of the objects gives SIEVE two points more hits than LRU`, { skip }, (t) => {
    if ('absent' in recorded) return;
    const requests = { objects: recorded.objects, count: recorded.count };
    const budget = Math.floor(requests.count / 10);
    const [sieve, lru] = (['sieve', 'lru'] as const).map(
      (policy) => 100 * replay(requests, evictionPolicies[policy](), budget).hitRatio,
    ) as [number, number];
    t.diagnostic(`SIEVE ${sieve.toFixed(1)} %, LRU ${lru.toFixed(1)} %`);
    assert.ok(sieve >= lru + 2, `${sieve} against ${lru}`);
  });
}
