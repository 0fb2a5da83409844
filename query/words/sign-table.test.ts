import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { languageSigns } from './language-signs.ts';
import { hashOf } from './word-hash.ts';

test('signs are found by their bytes as by their text, at any place', () => {
  const { words, endings, plainWords, plainEndings } = languageSigns();
  const known = fc.constantFrom(...words.keys(), ...endings.keys());
  const word = fc.oneof(
    known,
    known.map((text) => `${text}s`),
    fc.stringMatching(/^[a-z0-9]{1,4}$/),
  );
  fc.assert(
    fc.property(word, fc.nat(3), (text, from) => {
      const bytes = Buffer.from('x'.repeat(from) + text);
      const hash = hashOf(bytes, from, bytes.length);
      assert.equal(plainWords.find(bytes, from, bytes.length, hash), words.get(text));
      assert.equal(plainEndings.find(bytes, from, bytes.length, hash), endings.get(text));
    }),
    { numRuns: 1_000 },
  );
});
