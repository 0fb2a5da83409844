import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SummaryObject, summaryObject } from './summary-object.ts';
import { printObject, printStream } from './text-printer.ts';

const textOf = async (chunks: AsyncIterable<Uint8Array>) => {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
};

test('an object is printed as Harvest printed it, sizes in bytes', () => {
  const object = summaryObject('http://h/é', [
    ['Title', 'naïve'],
    ['Empty', ''],
    ['Author-1', 'a\nb'],
  ]);
  const expected = '@FILE { http://h/é\nTitle{6}:\tnaïve\nEmpty{0}:\t\nAuthor-1{3}:\ta\nb\n}\n';
  assert.equal(Buffer.from(printObject(object)).toString(), expected);
  assert.equal(Buffer.from(printObject(summaryObject('-', [], 'OBJECT'))).toString(), '@OBJECT { -\n}\n');
});

const unprintable: readonly [what: string, object: SummaryObject, problem: RegExp][] = [
  ['an empty type', summaryObject('u', [], ''), /template type/],
  ['a type with a space', summaryObject('u', [], 'A B'), /template type/],
  ['a section as type', summaryObject('u', [], 'UPDATE'), /names a section/],
  ['a long type', summaryObject('u', [], 'T'.repeat(257)), /longer than 256/],
  ['an empty URL', summaryObject('', []), /URL is missing/],
  ['a URL with a space', summaryObject('a b', []), /white space/],
  ['a URL with NUL', summaryObject('a\0b', []), /control character/],
  ['a URL that closes', summaryObject('}', []), /missing/],
  ['a URL like an attribute', summaryObject('Title{3}:', []), /an attribute is in its place/],
  ['a URL of half a character', summaryObject('a\ud800', []), /well-formed/],
  ['a URL too long in UTF-8', summaryObject('é'.repeat(4097), []), /longer than 8192/],
  ['an empty name', summaryObject('u', [['', 1]]), /attribute name/],
  ['a name with a brace', summaryObject('u', [['a{1}', 1]]), /attribute name/],
  ['a name with an @', summaryObject('u', [['@a', 1]]), /attribute name/],
  ['a long name', summaryObject('u', [['n'.repeat(257), 1]]), /longer than 256/],
  ['a deep name', summaryObject('u', [[`${'Embed<1>-'.repeat(17)}A`, 1]]), /deeper than 16/],
];

for (const [what, object, problem] of unprintable)
  test(`${what} is refused`, () => {
    assert.throws(
      () => printObject(object),
      (error: Error & { code?: string }) => error.code === 'SOIF_UNPRINTABLE' && problem.test(error.message),
    );
  });

test('a stream has its three sections in order, empty ones too', async () => {
  assert.equal(await textOf(printStream({})), '@DELETE {\n}\n@REFRESH {\n}\n@UPDATE {\n}\n');
  const [a, b, c] = ['a', 'b', 'c'].map((url) => summaryObject(url, [])) as [
    SummaryObject,
    ...SummaryObject[],
  ];
  const text = await textOf(
    printStream({ updates: [c as SummaryObject], deletes: [a], refreshes: [b as SummaryObject] }),
  );
  assert.equal(text, '@DELETE {\n@FILE { a\n}\n}\n@REFRESH {\n@FILE { b\n}\n}\n@UPDATE {\n@FILE { c\n}\n}\n');
});

test('objects are requested only as chunks are taken, and the source is closed when the reader stops', async () => {
  let asked = 0;
  let closed = false;
  const source = (async function* () {
    try {
      for (;;) {
        asked++;
        yield summaryObject(`http://h/${asked}`, [['A', new Uint8Array(10_000)]]);
      }
    } finally {
      closed = true;
    }
  })();
  for await (const chunk of printStream({ updates: source })) {
    assert.ok(chunk.length >= 64 * 1024 && chunk.length < 80_000);
    break;
  }
  assert.ok(asked <= 7, `${asked} objects for one chunk`);
  assert.ok(closed);
});
