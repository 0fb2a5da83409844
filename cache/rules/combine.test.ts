import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { combinable, combinedRange, missingRange, receivedPart, strongValidator } from './combine.ts';
import { Fields, type RawFields } from './fields/fields.ts';
import type { ByteRange } from './ranges.ts';
import type { StoredHead } from './stored-head.ts';

const changed = 'Wed, 10 Jun 2026 10:00:00 GMT';
const later = 'Wed, 10 Jun 2026 11:00:00 GMT';

function head(fields: RawFields): StoredHead {
  return {
    url: 'http://a.example/',
    status: 200,
    reason: 'OK',
    fields,
    requestedAtMs: 0,
    receivedAtMs: 0,
    selecting: [],
    authorized: false,
  };
}

const together = (one: RawFields, other: RawFields, totals: [number, number] = [10, 10]) =>
  combinable({ head: head(one), total: totals[0] }, { head: head(other), total: totals[1] });

test('RFC 9111 3.4: parts are combined by the same strong validator alone', () => {
  assert.equal(together(['ETag', '"a"'], ['ETag', '"a"']), true);
  assert.equal(together(['ETag', '"a"'], ['ETag', '"b"']), false);
  assert.equal(together(['ETag', 'W/"a"'], ['ETag', 'W/"a"']), false);
  assert.equal(together([], []), false);
  const dated = ['Last-Modified', changed, 'Date', later];
  assert.equal(together(dated, dated), true);
  assert.equal(together(['ETag', '"a"', ...dated], dated), false, 'one has a tag and the other does not');
  const fresh = ['Last-Modified', changed, 'Date', changed];
  assert.equal(together(fresh, fresh), false, 'it may have changed again within that second');
});

test('RFC 9110 15.3.7.3: parts of contents that differ in length or coding are not combined', () => {
  assert.equal(together(['ETag', '"a"'], ['ETag', '"a"'], [10, 11]), false);
  assert.equal(together(['ETag', '"a"', 'Content-Encoding', 'gzip'], ['ETag', '"a"']), false);
});

const received = (range: string, ...fields: string[]) =>
  receivedPart(new Fields(['Range', range]), new Fields(fields));

test('RFC 9110 15.3.7: a 206 with a part of what was asked for is taken as that part', () => {
  const five = { first: 0, last: 4, total: 10 };
  assert.deepEqual(received('bytes=0-4', 'Content-Range', 'bytes 0-4/10'), five);
  assert.deepEqual(received('bytes=0-', 'Content-Range', 'bytes 0-4/10'), five);
  assert.deepEqual(received('bytes=0-4', 'Content-Range', 'bytes 0-4/10', 'Content-Length', '5'), five);
  assert.deepEqual(received('bytes=-6', 'Content-Range', 'bytes 4-9/10'), { first: 4, last: 9, total: 10 });
  assert.deepEqual(received('bytes=7-8, 0-4', 'Content-Range', 'bytes 0-4/10'), five);
  const between = { first: 0, last: 8, total: 10 };
  assert.deepEqual(received('bytes=7-8, 0-4', 'Content-Range', 'bytes 0-8/10'), between);
});

test('a 206 that lies about its bytes is not kept', () => {
  assert.equal(received('bytes=0-3', 'Content-Range', 'bytes 0-4/10'), undefined, 'more than asked for');
  assert.equal(received('bytes=5-9', 'Content-Range', 'bytes 0-4/10'), undefined, 'other bytes');
  assert.equal(received('bytes=0-4', 'Content-Range', 'bytes 0-4/*'), undefined, 'length unknown');
  assert.equal(received('bytes=0-4', 'Content-Range', 'bytes 0-4/10', 'Content-Length', '6'), undefined);
  assert.equal(received('bytes=0-4', 'Content-Range', 'bytes 4-0/10'), undefined);
  assert.equal(received('bytes=7-8, 0-1', 'Content-Range', 'bytes 0-9/10'), undefined);
  assert.equal(received('bytes=7-8, 0-1', 'Content-Range', 'bytes 3-4/10'), undefined);
  assert.equal(received('bytes=0-4'), undefined, 'no Content-Range, as with multipart/byteranges');
  const twice = ['Content-Range', 'bytes 0-4/10', 'Content-Range', 'bytes 0-4/10'];
  assert.equal(received('bytes=0-4', ...twice), undefined);
  const unasked = receivedPart(new Fields([]), new Fields(['Content-Range', 'bytes 0-4/10']));
  assert.equal(unasked, undefined, 'nobody asked for a part');
});

test('RFC 9110 13.1.5: the rest is asked for by a strong tag, else by a strong Last-Modified', () => {
  assert.equal(strongValidator(head(['ETag', '"a"'])), '"a"');
  assert.equal(strongValidator(head(['ETag', 'W/"a"', 'Last-Modified', changed, 'Date', later])), undefined);
  assert.equal(strongValidator(head(['ETag', 'a'])), undefined);
  assert.equal(strongValidator(head(['Last-Modified', changed, 'Date', later])), changed);
  assert.equal(strongValidator(head([])), undefined);
});

const bytes = ({ first, last }: ByteRange) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const range = fc
  .tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }))
  .map(([one, other]) => ({ first: Math.min(one, other), last: Math.max(one, other) }));

test('property: two runs combine to exactly the bytes of both, unless there is a gap', () => {
  fc.assert(
    fc.property(range, range, (one, other) => {
      const union = [...new Set([...bytes(one), ...bytes(other)])].sort((a, b) => a - b);
      const gapless = (union.at(-1) ?? 0) - (union[0] ?? 0) + 1 === union.length;
      const both = combinedRange(one, other);
      assert.deepEqual(both && bytes(both), gapless ? union : undefined);
    }),
  );
});

test('property: with what is missing, all that is wanted is here in one run, and nothing is fetched for nothing', () => {
  fc.assert(
    fc.property(range, range, (have, wanted) => {
      const missing = missingRange(have, wanted);
      const here = new Set(bytes(have));
      const lacking = bytes(wanted).filter((at) => !here.has(at));
      if (missing === undefined) {
        assert.deepEqual(lacking, []);
        return;
      }
      const fetched = bytes(missing);
      assert.ok(lacking.every((at) => fetched.includes(at)));
      assert.ok(fetched.every((at) => wanted.first <= at && at <= wanted.last));
      const inTheMiddle = wanted.first < have.first && have.last < wanted.last;
      if (!inTheMiddle) assert.deepEqual(fetched, lacking);
    }),
  );
});
