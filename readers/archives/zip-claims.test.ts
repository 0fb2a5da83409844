import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Claims } from './zip-claims.ts';

test('a stretch is claimed exactly when none of its bytes was', () => {
  const stretch = fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 2000, size: 'max' }), (stretches) => {
      const claims = new Claims();
      const taken = new Uint8Array(20_010);
      let end = 0;
      for (const [start, length] of stretches) {
        const free = !taken.subarray(start, start + length).includes(1);
        assert.equal(claims.claim(start, start + length), free);
        if (!free) continue;
        taken.fill(1, start, start + length);
        end = Math.max(end, start + length);
        assert.equal(claims.end, end);
      }
    }),
    { numRuns: 200 },
  );
});
