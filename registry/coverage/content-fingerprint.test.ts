import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../../soif/index.ts';
import { ContentFingerprint, equalShare } from './content-fingerprint.ts';

const oid = (number: number) => `oid ${number}` as Oid;

/** A fingerprint of the contents `from` to `to`. */
function filled(from: number, to: number, name = 0): ContentFingerprint {
  const fingerprint = new ContentFingerprint();
  for (let content = from; content < to; content++)
    fingerprint.put(oid(name + content), `content ${content}`);
  return fingerprint;
}

test('fingerprints estimate the share of equal contents, by whichever Gatherer', () => {
  const cases = [
    [filled(0, 20_000), filled(0, 20_000, 1e6), 1],
    [filled(0, 20_000), filled(10_000, 30_000), 1 / 3],
    [filled(0, 20_000), filled(20_000, 40_000), 0],
    [filled(0, 10), filled(5, 15), 1 / 3],
  ] as const;
  for (const [one, other, share] of cases)
    assert.ok(Math.abs(equalShare(`${one}`, `${other}`) - share) < 0.1, `${share}`);
});

test('a fingerprint after puts, changes and deletions is that of the contents that remain, or says it is worn', () => {
  const step = fc.tuple(fc.nat(4000), fc.option(fc.nat(3000), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6000, size: 'max' }), (steps) => {
      const changed = new ContentFingerprint();
      const contents = new Map<number, number>();
      for (const [object, content] of steps) {
        if (content === undefined) {
          changed.delete(oid(object));
          contents.delete(object);
        } else {
          changed.put(oid(object), `content ${content}`);
          contents.set(object, content);
        }
      }
      const made = new ContentFingerprint();
      for (const [object, content] of contents) made.put(oid(object), `content ${content}`);
      assert.ok(changed.isWorn || `${changed}` === `${made}`);
    }),
    { numRuns: 20 },
  );
});

test('what is no fingerprint is equal to nothing', () => {
  const own = `${filled(0, 100)}`;
  for (const text of ['', 'AAA', 'no fingerprint at all', 'A'.repeat(100_000)])
    assert.equal(equalShare(own, text), 0, text.slice(0, 20));
});
