import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evictionPolicies } from '../../testing/eviction-policies.ts';
import { headOf } from '../../testing/storage.ts';
import type { StoredEntry } from '../model/stored-entry.ts';
import { HotTier } from './hot-tier.ts';

const step = fc.record({
  what: fc.constantFrom('put', 'content', 'get', 'forget', 'empty'),
  key: fc.nat(12),
  ids: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
  length: fc.nat(2500),
});

test('the tier in memory keeps to its budget, and gives only what was put last', () => {
  const policy = fc.constantFrom(...Object.values(evictionPolicies));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: 'max' }), policy, (steps, makePolicy) => {
      const budget = 20_000;
      const tier = new HotTier(budget, makePolicy());
      const lists = new Map<string, readonly StoredEntry[]>();
      const contents = new Map<number, Uint8Array>();
      for (const { what, key: number, ids, length } of steps) {
        const key = `http://a/${number}`;
        const slot = number * 4 + (ids[0] as number);
        if (what === 'put') {
          const entries = ids.map((id) => ({
            ...{ slot: number * 4 + id, id, key, head: headOf(key), contentLength: 0 },
            ...{ invalidated: false, tags: [] },
          }));
          for (const gone of lists.get(key) ?? [])
            if (!entries.some((entry) => entry.slot === gone.slot)) contents.delete(gone.slot);
          tier.put(key, entries);
          lists.set(key, entries);
        } else if (what === 'content') {
          const entry = lists.get(key)?.find((one) => one.slot === slot);
          if (entry === undefined) continue;
          const content = new Uint8Array(length);
          tier.keepContent(entry, content);
          if (tier.content(slot) !== undefined) contents.set(slot, tier.content(slot) as Uint8Array);
          assert.ok(
            tier.content(slot) === undefined || length <= budget / 16 || contents.get(slot) !== content,
          );
        } else if (what === 'forget') {
          tier.forgetContent(slot);
          contents.delete(slot);
        } else if (what === 'empty') {
          tier.put(key, []);
          assert.equal(tier.get(key), undefined);
          for (const gone of lists.get(key) ?? []) contents.delete(gone.slot);
          lists.delete(key);
        }
        const held = tier.get(key);
        assert.ok(held === undefined || held === lists.get(key));
        assert.ok(tier.bytes <= budget, `${tier.bytes}`);
        for (let at = 0; at < 52; at++) {
          const content = tier.content(at);
          assert.ok(content === undefined || content === contents.get(at));
        }
      }
      for (const key of lists.keys()) tier.put(key, []);
      assert.equal(tier.bytes, 0);
    }),
  );
});
