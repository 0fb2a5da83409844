import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InFlightMap } from './in-flight-map.ts';

test('it holds what a Map holds, few or many', () => {
  const key = fc.nat(39);
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.nat() }) },
    { weight: 30, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
    { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 150, size: 'max' }), (steps) => {
      const [under, map] = [new InFlightMap<number, number>(), new Map<number, number>()];
      for (const one of steps) {
        if (one.do === 'set') for (const held of [under, map]) held.set(one.key, one.value);
        else if (one.do === 'delete') for (const held of [under, map]) held.delete(one.key);
        else for (const held of [under, map]) held.clear();
        const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
        assert.deepEqual(sorted(under.keys()), sorted(map.keys()));
        assert.deepEqual(sorted(under.values()), sorted(map.values()));
        assert.equal(under.size, map.size);
        for (let at = 0; at < 40; at++)
          assert.deepEqual([under.get(at), under.has(at)], [map.get(at), map.has(at)]);
      }
    }),
  );
});
