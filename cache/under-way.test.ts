import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnderWay } from './under-way.ts';

test('it holds what a Map holds, in the same order', () => {
  const key = fc.nat(5);
  const step = fc.oneof(
    fc.record({ do: fc.constant('set' as const), key, value: fc.nat() }),
    fc.record({ do: fc.constant('delete' as const), key }),
    fc.record({ do: fc.constant('clear' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [under, map] = [new UnderWay<number, number>(), new Map<number, number>()];
      for (const one of steps) {
        if (one.do === 'set') for (const held of [under, map]) held.set(one.key, one.value);
        else if (one.do === 'delete') for (const held of [under, map]) held.delete(one.key);
        else for (const held of [under, map]) held.clear();
        assert.deepEqual([...under.keys()], [...map.keys()]);
        assert.deepEqual([...under.values()], [...map.values()]);
        assert.equal(under.size, map.size);
        for (let at = 0; at < 6; at++)
          assert.deepEqual([under.get(at), under.has(at)], [map.get(at), map.has(at)]);
      }
    }),
  );
});
