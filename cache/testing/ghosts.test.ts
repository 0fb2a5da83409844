import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Ghosts } from './ghosts.ts';

const hash = fc.oneof(fc.nat(8), fc.nat(0xffff_ffff));

test('no ghost is known that never left, left before the last ones, or was asked for before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ hash, add: fc.boolean() }), { maxLength: 400, size: 'max' }),
      fc.integer({ min: 1, max: 50 }),
      (steps, limit) => {
        const ghosts = new Ghosts();
        const left = new Map<number, number>();
        let leavings = 0;
        for (const one of steps)
          if (one.add) {
            ghosts.add(one.hash, limit);
            left.set(one.hash, ++leavings);
          } else {
            const at = left.get(one.hash);
            const known = at !== undefined && leavings - at < limit;
            if (ghosts.take(one.hash, limit)) assert.ok(known);
            left.delete(one.hash);
          }
      },
    ),
  );
});

test('nearly all of the last ghosts are known, however many', () => {
  const ghosts = new Ghosts();
  const count = 20_000;
  const hashes = Array.from({ length: 2 * count }, (_, n) => Math.imul(n + 1, 0x9e3779b1) >>> 0);
  for (const one of hashes) ghosts.add(one, count);
  const known = hashes.slice(count).filter((one) => ghosts.take(one, count)).length;
  assert.ok(known > 0.9 * count, `${known} of ${count}`);
  assert.equal(hashes.slice(0, count).filter((one) => ghosts.take(one, count)).length, 0);
});
