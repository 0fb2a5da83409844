import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../../soif/index.ts';
import { ContentFingerprint, equalShare } from './content-fingerprint.ts';
import { Neighbours } from './neighbours.ts';

const nowhere = { roots: [], collectsFrom: [] };

/** The fingerprint of the pages `from` to `from + count`. */
function contents(from: number, count: number): string {
  const fingerprint = new ContentFingerprint();
  for (let page = from; page < from + count; page++) fingerprint.put(`${page}` as Oid, `page ${page}`);
  return `${fingerprint}`;
}

test('servers with half of their contents in common are those that a comparison with each would find', () => {
  const server = fc.record({ id: fc.nat(9), from: fc.nat(60), count: fc.integer({ min: 0, max: 60 }) });
  fc.assert(
    fc.property(fc.array(server, { maxLength: 25 }), fc.nat(9), (steps, asked) => {
      const neighbours = new Neighbours();
      const held = new Map<Oid, string>();
      for (const { id, from, count } of steps) {
        const oid = `${id}` as Oid;
        const fingerprint = contents(from, count);
        neighbours.put({ id: oid, fingerprint, ...nowhere });
        held.set(oid, fingerprint);
        if (count % 7 !== 0) continue;
        neighbours.delete(oid);
        held.delete(oid);
      }
      const own = held.get(`${asked}` as Oid) ?? '';
      const expected = [...held]
        .filter(([id, other]) => id !== `${asked}` && equalShare(own, other) >= 0.5)
        .map(([id]) => id);
      assert.deepEqual(
        neighbours
          .alike(`${asked}` as Oid)
          .map(({ id }) => id)
          .sort(),
        expected.sort(),
      );
    }),
    { numRuns: 50 },
  );
});

test('what is no fingerprint is left out', () => {
  const neighbours = new Neighbours();
  for (const [id, fingerprint] of [
    ['a', 'no fingerprint'],
    ['b', 'A'.repeat(4096)],
    ['c', ''],
  ] as const)
    neighbours.put({ id: id as Oid, fingerprint, ...nowhere });
  for (const id of ['a', 'b', 'c'] as Oid[]) assert.deepEqual(neighbours.alike(id), []);
});
