import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseContentRange, printContentRange } from './fields/content-range.ts';
import { Fields, type RawFields } from './fields/fields.ts';
import { answerRange, type ByteRange, parseRange, resolveRange } from './ranges.ts';
import type { StoredHead } from './stored-head.ts';

function head(fields: RawFields = [], status = 200): StoredHead {
  return {
    url: 'http://a.example/',
    status,
    reason: '',
    fields,
    requestedAtMs: 0,
    receivedAtMs: 0,
    selecting: [],
    authorized: false,
  };
}

const answered = (range: string, length = 10, part?: ByteRange) =>
  answerRange(new Fields(['Range', range]), head(), length, part);

const part = (first: number, last: number) => ({ kind: 'part', range: { first, last } });

test('RFC 9110 14.1.2: first and last, first alone, and a suffix', () => {
  assert.deepEqual(answered('bytes=0-1'), part(0, 1));
  assert.deepEqual(answered('bytes=1-'), part(1, 9));
  assert.deepEqual(answered('bytes=-1'), part(9, 9));
  assert.deepEqual(answered('bytes=0-99'), part(0, 9));
  assert.deepEqual(answered('bytes=-99'), part(0, 9));
  assert.deepEqual(answered('BYTES=0-0'), part(0, 0));
  assert.deepEqual(answered(`bytes=1-${'9'.repeat(400)}`), part(1, 9));
});

test('RFC 9110 15.5.17: a range with none of the bytes is answered by 416', () => {
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99-99, 10-']) {
    assert.deepEqual(answered(range), { kind: 'unsatisfiable' }, range);
  }
  assert.deepEqual(answered('bytes=0-', 0), { kind: 'unsatisfiable' });
});

test('RFC 9110 14.2: a Range of another unit or against the grammar is ignored', () => {
  const wrong = ['lines=0-1', 'bytes', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1', 'bytes=2-1', 'bytes 0-1'];
  for (const range of [...wrong, 'bytes=0-1-2', 'bytes=+0-1', 'bytes=0 -1', 'bytes=0-1, x', 'bytes=--1']) {
    assert.equal(parseRange(range), undefined, range);
    assert.deepEqual(answered(range), { kind: 'whole' }, range);
  }
});

test('a Range that names more than 16 is ignored', () => {
  const many = (count: number) => `bytes=${Array.from({ length: count }, (_, n) => `${n}-${n}`).join()}`;
  assert.equal(parseRange(many(16))?.length, 16);
  assert.equal(parseRange(many(17)), undefined);
});

test('RFC 9110 15.3.7: several ranges are one part when they touch or overlap, else the whole is given', () => {
  assert.deepEqual(answered('bytes=0-1,2-3'), part(0, 3));
  assert.deepEqual(answered('bytes=4-6 , 0-4,, 99-'), part(0, 6));
  assert.deepEqual(answered('bytes=0-1,3-4'), { kind: 'whole' });
});

test('the last bytes of an empty content are the whole of it', () => {
  assert.deepEqual(answered('bytes=-5', 0), { kind: 'whole' });
});

test('RFC 9110 14.2: Range counts for a 200 or 206 alone, and only when If-Range holds', () => {
  const asked = new Fields(['Range', 'bytes=0-1']);
  assert.deepEqual(answerRange(asked, head([], 404), 10), { kind: 'whole' });
  assert.deepEqual(answerRange(asked, head([], 206), 10), part(0, 1));
  const conditional = new Fields(['Range', 'bytes=0-1', 'If-Range', '"a"']);
  assert.deepEqual(answerRange(conditional, head(['ETag', '"b"']), 10), { kind: 'whole' });
  assert.deepEqual(answerRange(conditional, head(['ETag', '"a"']), 10), part(0, 1));
});

test('RFC 9111 3.3: a stored part answers only what lies within it', () => {
  const here = { first: 2, last: 5 };
  assert.deepEqual(answered('bytes=2-5', 10, here), part(2, 5));
  assert.deepEqual(answered('bytes=3-4', 10, here), part(3, 4));
  assert.deepEqual(answered('bytes=1-4', 10, here), { kind: 'not-here' });
  assert.deepEqual(answered('bytes=4-', 10, here), { kind: 'not-here' });
  assert.deepEqual(answered('bytes=-5', 10, { first: 5, last: 9 }), part(5, 9));
  assert.deepEqual(answered('bytes=10-', 10, here), { kind: 'unsatisfiable' });
  assert.deepEqual(answered('nonsense', 10, here), { kind: 'not-here' });
  assert.deepEqual(answerRange(new Fields([]), head(), 10, here), { kind: 'not-here' });
  assert.deepEqual(answerRange(new Fields([]), head(), 10, { first: 0, last: 9 }), { kind: 'whole' });
  assert.deepEqual(answerRange(new Fields([]), head(), 10), { kind: 'whole' });
});

test('RFC 9110 14.4: a Content-Range is read to the letter', () => {
  assert.deepEqual(parseContentRange('bytes 0-4/10'), { first: 0, last: 4, total: 10 });
  assert.deepEqual(parseContentRange('bytes 0-4/*'), { first: 0, last: 4, total: undefined });
  const wrong = ['bytes 4-10/10', 'bytes 5-4/10', 'bytes */10', 'bytes 0-4', 'bytes=0-4/10', 'items 0-4/10'];
  for (const value of [...wrong, '', 'bytes 0-4/-1', 'bytes -4/10', `bytes 0-4/${'9'.repeat(16)}`]) {
    assert.equal(parseContentRange(value), undefined, value);
  }
  assert.equal(parseContentRange(undefined), undefined);
});

test('RFC 9110 14.4: a Content-Range is printed with the length, and without a range for a 416', () => {
  assert.equal(printContentRange({ first: 0, last: 4 }, 10), 'bytes 0-4/10');
  assert.equal(printContentRange(undefined, 10), 'bytes */10');
});

/** The bytes that a range-spec asks for, by the words of RFC 9110 14.1.2. */
function bytesOf(text: string, length: number): number[] {
  const [from = '', to = ''] = text.split('-');
  const all = Array.from({ length }, (_, at) => at);
  if (from === '') return Number(to) === 0 ? [] : all.slice(-Number(to));
  return all.filter((at) => at >= Number(from) && (to === '' || at <= Number(to)));
}

test('property: what is given is what the ranges ask for, and a part never holds more than is here', () => {
  const number = fc.nat({ max: 24 });
  const spec = fc.oneof(
    fc.tuple(number, number).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
    number.map((first) => `${first}-`),
    number.map((suffix) => `-${suffix}`),
  );
  const here = fc.option(fc.tuple(number, number), { nil: undefined });
  fc.assert(
    fc.property(fc.array(spec, { minLength: 1, maxLength: 4 }), number, here, (specs, size, bounds) => {
      const length = size + 1;
      const stored = bounds && {
        first: Math.min(...bounds, length - 1),
        last: Math.min(Math.max(...bounds), length - 1),
      };
      const wanted = new Set(specs.flatMap((text) => bytesOf(text, length)));
      const answer = answered(`bytes=${specs.join(', ')}`, length, stored);
      if (answer.kind === 'unsatisfiable') assert.equal(wanted.size, 0);
      else if (answer.kind === 'part') {
        const { first, last } = answer.range;
        assert.ok(stored === undefined || (stored.first <= first && last <= stored.last));
        assert.equal(last - first + 1, wanted.size);
        for (let at = first; at <= last; at += 1) assert.ok(wanted.has(at));
      } else {
        assert.ok(wanted.size > 0);
        if (answer.kind === 'whole' && stored) assert.equal(stored.last - stored.first + 1, length);
        const lowest = Math.min(...wanted);
        const together = Math.max(...wanted) - lowest + 1 === wanted.size;
        const held =
          stored === undefined || [...wanted].every((at) => at >= stored.first && at <= stored.last);
        assert.ok(!(together && held), 'one run that is here is given as a part');
      }
    }),
  );
});

test('property: a range reader never throws, and what it reads resolves within the content', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[-0-9, ]{0,20}$/));
  fc.assert(
    fc.property(text, fc.nat(), (value, length) => {
      parseContentRange(value);
      for (const spec of parseRange(value) ?? []) {
        const range = resolveRange(spec, length);
        if (range === undefined) continue;
        assert.ok(0 <= range.first && range.first <= range.last && range.last < length);
        const printed = printContentRange(range, length);
        assert.deepEqual(parseContentRange(printed), { ...range, total: length });
      }
    }),
  );
});
