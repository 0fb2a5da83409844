import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../kernel/index.ts';
import { encodeObject } from './binary-form.ts';
import { soifErrors } from './errors.ts';
import { applyDelta, deltaOf } from './object-delta.ts';
import { summaryObject } from './summary-object.ts';

const attributes = fc.array(
  fc.tuple(
    fc.constantFrom('Title', 'Body', 'Author', 'Keywords', 'MD5'),
    fc.oneof(fc.string(), fc.string({ minLength: 40, maxLength: 300 }), fc.uint8Array({ maxLength: 50 })),
  ),
  { maxLength: 12 },
);
const url = 'http://example.org/';

test('a delta turns any version into any other, or is undefined', () => {
  fc.assert(
    fc.property(attributes, attributes, (before, after) => {
      const [last, next] = [before, after].map((list) => encodeObject(summaryObject(url, list))) as [
        Uint8Array,
        Uint8Array,
      ];
      const delta = deltaOf(last, next);
      if (delta === undefined) return;
      assert.deepEqual(Buffer.from(applyDelta(last, delta)), Buffer.from(next));
      assert.ok(delta.length < next.length);
    }),
    { numRuns: 500 },
  );
});

test('a word changed in a long text costs a few bytes, and so do attributes moved, taken out and put in', () => {
  const text = 'All work and no play makes Jack a dull boy. '.repeat(200);
  const version = (body: string, more: readonly (readonly [string, string])[] = []) =>
    encodeObject(summaryObject(url, [['Title', 'A title'], ['Body', body], ['Author', 'Jack'], ...more]));
  const edited = deltaOf(version(text), version(text.replace('dull boy. All work', 'bright boy. All work')));
  assert.ok(edited !== undefined && edited.length < 60, `${edited?.length} bytes`);
  const added = deltaOf(version(text), version(text, [['Keywords', 'work\nplay']]));
  assert.ok(added !== undefined && added.length < 60);
  assert.equal(
    deltaOf(version(text), encodeObject(summaryObject('http://example.org/other', []))),
    undefined,
  );
  assert.equal(deltaOf(version('a'), version('b', [['Keywords', 'x'.repeat(900)]])), undefined);
});

test('anything may be sent as a delta: an object or a typed error comes of it, and no more memory than allowed', () => {
  const last = encodeObject(
    summaryObject(url, [
      ['Title', 'A title'],
      ['Body', 'x'.repeat(100)],
    ]),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.integer({ min: 0, max: 5 })).map((list) => Uint8Array.from([1, ...list])),
      ),
      (bytes) => {
        try {
          assert.ok(applyDelta(last, bytes).length < 100_000);
        } catch (error) {
          assert.ok(isGarnerError(error, soifErrors.SOIF_DELTA), String(error));
        }
      },
    ),
    { numRuns: 2000 },
  );
  const nameOfBlank = Uint8Array.from([1, 2, 1, 0x20, 0]);
  assert.throws(() => applyDelta(last, nameOfBlank), { code: 'SOIF_DELTA' });
});
