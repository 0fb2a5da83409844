import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyTwins } from '../rules/scheme-keys.ts';
import type { PurgeTarget } from '../storage/model/entry.ts';
import { Purges } from './purges.ts';

const paths = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 3 }).map((parts) => parts.join(''));
const url = fc.oneof(
  paths.map((path) => `http://o/${path}`),
  // Longer than what is remembered word for word.
  paths.map((path) => `http://o/${'long/'.repeat(200)}${path}`),
);
const target: fc.Arbitrary<PurgeTarget> = fc.oneof(
  url.map((one) => ({ url: one })),
  url.map((one) => ({ prefix: one })),
  fc.constant({ all: true } as const),
  fc.constant({ tag: 'a' }),
);

function means(purge: PurgeTarget, asked: string): boolean {
  if ('url' in purge) return purge.url === asked;
  if ('prefix' in purge) return asked.startsWith(purge.prefix);
  return 'all' in purge;
}

test('the latest purge of a URL is reported, for both of its keys', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(target, fc.boolean())), url, (made, asked) => {
      const purges = new Purges();
      for (const [atMs, [purge, soft]] of made.entries()) purges.note(purge, { soft, atMs });
      const atMs = made.findLastIndex(([purge]) => means(purge, asked));
      for (const key of keyTwins(asked)) {
        const reported = purges.about(key);
        assert.equal(reported?.atMs ?? -1, atMs);
        assert.equal(reported?.soft, made[atMs]?.[1]);
      }
    }),
  );
});

test('the oldest is forgotten first, and nothing grows', () => {
  const purges = new Purges();
  for (let atMs = 0; atMs < 2000; atMs += 1) purges.note({ url: `http://o/${atMs}` }, { soft: false, atMs });
  assert.equal(purges.about('http://o/975'), undefined);
  assert.deepEqual(purges.about('http://o/976'), { atMs: 976, by: 'url', prefix: null, soft: false });
});
