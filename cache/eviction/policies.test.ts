import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EvictionName, type EvictionPolicy, evictionPolicies } from './index.ts';
import { type PlainPolicy, plainLru, plainSieve } from './plain-policies.ts';

type Step =
  | { readonly kind: 'add'; readonly slot: number; readonly bytes: number }
  | { readonly kind: 'touch'; readonly slot: number }
  | { readonly kind: 'remove'; readonly slot: number }
  | { readonly kind: 'evict'; readonly kept: readonly number[] };

// Slots beyond the first capacity make the arrays grow.
const slot = fc.oneof({ weight: 5, arbitrary: fc.nat(12) }, fc.integer({ min: 60, max: 300 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), slot, bytes: fc.nat(1000) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('touch' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), slot }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('evict' as const), kept: fc.array(slot, { maxLength: 4 }) }),
  },
);
const steps = fc.array(step, { maxLength: 200, size: 'max' });

const made = (name: EvictionName): EvictionPolicy => evictionPolicies[name]();

/** A slot's contents have one hash however often they come. */
const hashOf = (one: number) => Math.imul(one + 1, 0x9e3779b1) >>> 0;

const models: Partial<Record<EvictionName, () => PlainPolicy>> = { sieve: plainSieve, lru: plainLru };

for (const [name, model] of Object.entries(models))
  test(`${name} chooses whom a plain model of it chooses`, () => {
    fc.assert(
      fc.property(steps, (all) => {
        const policy = made(name as EvictionName);
        const plain = model();
        for (const one of all) {
          if (one.kind === 'add') {
            policy.added(one.slot, one.bytes, hashOf(one.slot));
            plain.added(one.slot);
          } else if (one.kind === 'touch') {
            policy.touched(one.slot);
            plain.touched(one.slot);
          } else if (one.kind === 'remove') {
            policy.removed(one.slot);
            plain.removed(one.slot);
          } else {
            const keep = (which: number) => one.kept.includes(which);
            assert.equal(policy.evict(keep), plain.evict(keep));
          }
          assert.equal(policy.size, plain.size());
        }
        while (plain.size() > 0)
          assert.equal(
            policy.evict(),
            plain.evict(() => false),
          );
        assert.equal(policy.evict(), -1);
      }),
    );
  });

for (const name of Object.keys(evictionPolicies) as EvictionName[]) {
  test(`${name} lets everyone leave once, and none who is kept, is unknown or has left`, () => {
    fc.assert(
      fc.property(steps, (all) => {
        const policy = made(name);
        const known = new Set<number>();
        const leave = (keep: (which: number) => boolean) => {
          const gone = policy.evict(keep);
          if (gone === -1) assert.ok([...known].every(keep));
          else assert.ok(known.delete(gone) && !keep(gone));
        };
        for (const one of all) {
          if (one.kind === 'add') {
            policy.added(one.slot, one.bytes, hashOf(one.slot));
            known.add(one.slot);
          } else if (one.kind === 'touch') policy.touched(one.slot);
          else if (one.kind === 'remove') {
            policy.removed(one.slot);
            known.delete(one.slot);
          } else leave((which) => one.kept.includes(which));
          assert.equal(policy.size, known.size);
        }
        while (known.size > 0) leave(() => false);
        assert.equal(policy.evict(), -1);
      }),
    );
  });

  test(`${name} keeps what is asked for again and again while others pass through`, () => {
    const policy = made(name);
    policy.added(0, 100, hashOf(0));
    for (let other = 1; other < 2000; other++) {
      policy.touched(0);
      policy.added(other, 100, hashOf(other));
      if (policy.size > 20) assert.notEqual(policy.evict(), 0);
    }
  });
}
