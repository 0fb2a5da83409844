import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Handle } from './handle.ts';
import { OrderedArray } from './ordered-array.ts';
import type { Placed, PositionRange } from './ordered-view.ts';
import { PlacedSet } from './position-sorted-set.ts';

const position = fc.stringMatching(/^[a-e]{1,2}$/);
const bound = fc.option(position, { nil: undefined });
const range: fc.Arbitrary<PositionRange> = fc.record({ from: bound, above: bound, to: bound, below: bound });

const placedAt = (at: string, version: number): Placed => ({
  position: at,
  handle: at as Handle,
  signature: Uint8Array.of(version),
});

test('a set of placed objects reads every range as an ordered view does', async () => {
  const step = fc.oneof(fc.record({ add: position, version: fc.nat(3) }), fc.record({ read: range }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const set = new PlacedSet();
      const all = new Map<string, Placed>();
      for (const each of steps) {
        if ('add' in each) {
          const placed = placedAt(each.add, each.version);
          set.add(placed);
          all.set(each.add, placed);
          assert.ok(set.has(each.add));
          continue;
        }
        const { from, above, to, below } = each.read;
        // Of two bounds at one end a view takes the exclusive one.
        const wanted = {
          ...(above === undefined ? { from } : { above }),
          ...(below === undefined ? { to } : { below }),
        };
        const view = new OrderedArray(all.values(), () => assert.fail('no sums are read'));
        const expected: Placed[] = [];
        for await (const placed of view.entries(wanted)) expected.push(placed);
        assert.deepEqual([...set.within(wanted)], expected);
      }
    }),
  );
});
