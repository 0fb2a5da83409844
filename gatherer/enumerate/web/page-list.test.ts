import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pageUrls, readPageList } from './page-list.ts';
import { PageListScanner } from './page-list-scanner.ts';

const sphinx = 'http://h/docs/searchindex.js';
const mkdocs = 'http://h/docs/search/search_index.json';

/** The bytes of a text in pieces of the given sizes, over and over. */
async function* pieces(text: string | Uint8Array, sizes: readonly number[] = [65_536]) {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const namesIn = async (text: string | Uint8Array, url = sphinx, sizes?: readonly number[]) => {
  const read = await readPageList(pieces(text, sizes), url);
  return 'names' in read ? read.names : undefined;
};

/** A notation of a string in JavaScript. */
const written = (text: string, quote: '"' | "'") => {
  const json = JSON.stringify(text);
  if (quote === '"') return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 12 });
const space = fc.constantFrom('', ' ', '\n\t');

// Other text may contain `docnames` too: as a value, or as a deeper key.
const others = fc.dictionary(
  fc
    .oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('*', 'null', '0'))
    .filter((key) => key !== 'docnames'),
  fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('docnames', ['docnames', ':', '['], { docnames: ['wrong'] }, [{ docnames: ['wrong'] }]),
  ),
  { maxKeys: 5 },
);

test('document names are found among other data, in both notations, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      names,
      others,
      others,
      fc.constantFrom('docnames', '"docnames"', "'docnames'"),
      fc.constantFrom<'"' | "'">('"', "'"),
      space,
      sizes,
      async (expected, before, after, key, quote, gap, cut) => {
        const list = expected.map((name) => written(name, quote)).join(`,${gap}`);
        const members = (value: object) => JSON.stringify(value).slice(1, -1);
        const parts = [members(before), `${key}${gap}:${gap}[${list}]`, members(after)].filter(Boolean);
        const text = `${gap}Search.setIndex(${gap}{${parts.join(`,${gap}`)}})`;
        assert.deepEqual(await namesIn(text, sphinx, cut), [...new Set(expected)], text);
      },
    ),
    { numRuns: 1000 },
  );
});

test('MkDocs’ locations are found as JSON.parse finds them, in pieces of any size', async () => {
  const page = fc.record({
    location: fc.string({ unit: 'grapheme' }),
    text: fc.string(),
    title: fc.jsonValue(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page), fc.jsonValue(), sizes, async (docs, config, cut) => {
      const text = JSON.stringify({ config: { location: config }, docs, docs2: [{ location: 'no' }] });
      const expected = [...new Set(docs.map(({ location }) => location))];
      assert.deepEqual(await namesIn(text, mkdocs, cut), expected);
    }),
    { numRuns: 500 },
  );
});

test('other content is refused, and nothing throws', async () => {
  for (const text of [
    '',
    '{}',
    '<!doctype html><script>Search.setIndex({docnames:["a"]})</script>',
    'Search.setIndex({docnames:["a"',
    'Search.setIndex({docnames:["a","b\\',
    'Search.setIndex({terms:{docnames:["a"]}})',
    'Search.setIndex({docnames:"a"})',
    'Search.setIndex(["a"])',
    'searchIndex({docnames:["a"]})',
  ])
    assert.equal(await namesIn(text), undefined, text);
  assert.equal(await namesIn('Search.setIndex({docnames:["a"]})', mkdocs), undefined);
  const good = 'Search.setIndex({"titles":["x\\u00e9"],"docnames":["a","b/c"],"terms":{"k":[1,2]}})';
  const mutated = fc
    .array(fc.tuple(fc.nat(good.length), fc.nat(3), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 6,
    })
    .map((edits) =>
      edits.reduce((text, [at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop), good),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), sizes, async (text, cut) => {
      const bytes = Buffer.from(text as Uint8Array | string as string);
      // The place of a cut makes no difference, even for invalid input.
      assert.deepEqual(await namesIn(bytes, sphinx, cut), await namesIn(bytes));
    }),
    { numRuns: 5000 },
  );
});

test('nothing is executed, and only strings are names', async () => {
  const trap = 'Search.setIndex({docnames:[(()=>{globalThis.caught=1})(),"a",process.exit(9),1,null,"b"]})';
  const found = await namesIn(trap);
  assert.equal((globalThis as { caught?: number }).caught, undefined);
  assert.ok(!found?.includes('1') && !found?.includes('null'));
});

test('it is read only up to the end of the names, and within limits for any input', async () => {
  let asked = 0;
  const endless = async function* () {
    yield Buffer.from('Search.setIndex({docnames:["a"],');
    for (;;) {
      asked += 1;
      yield Buffer.from('x');
    }
  };
  assert.deepEqual(await readPageList(endless(), sphinx), { names: ['a'] });
  assert.equal(asked, 0);

  const million = async function* (piece: string) {
    yield Buffer.from('Search.setIndex({docnames:[');
    for (let turn = 0; turn < 2000; turn += 1) yield Buffer.from(piece.repeat(1000));
  };
  for (const piece of ['[', '{', '"', '{"a":', '\\', 'x', '",'])
    assert.ok('refused' in (await readPageList(million(piece), sphinx)), piece);

  const scan = (text: string) => {
    const limits = { maxNames: 3, maxCharacters: 10, maxNameLength: 5 };
    const scanner = new PageListScanner('', ['docnames', null], limits);
    scanner.write(`{docnames:[${text}]}`);
    return [scanner.state, ...scanner.names];
  };
  assert.deepEqual(scan('"a","b","a","c"'), ['complete', 'a', 'b', 'c']);
  assert.equal(scan('"a","b","c","d"')[0], 'full');
  assert.equal(scan('"aaaaa","bbbbb","c"')[0], 'full');
  assert.deepEqual(scan('"abcdefgh"'), ['complete', 'abcde']);
});

test('the ending of Sphinx’ page URLs is learned from those that were met', () => {
  const list = ['index', 'a', 'b/index', 'b/c++', 'd'];
  const urls = (...met: string[]) =>
    [...pageUrls(sphinx, list, (url) => met.includes(url.slice('http://h/docs/'.length)))].map((url) =>
      url.slice('http://h/docs'.length),
    );
  const html = ['/index.html', '/a.html', '/b/index.html', '/b/c%2B%2B.html', '/d.html'];
  assert.deepEqual(urls(), html);
  assert.deepEqual(urls('', 'a.html'), html);
  // `/b/` shows nothing: it exists with either builder.
  assert.deepEqual(urls('', 'b/', 'a.html', 'd/', 'd.html'), html);
  assert.deepEqual(urls('', 'a/', 'd/', 'd.html'), ['/', '/a/', '/b/', '/b/c%2B%2B/', '/d/']);
  assert.deepEqual(urls('a', 'd'), ['/index', '/a', '/b/index', '/b/c%2B%2B', '/d']);
  assert.deepEqual(urls('d.xhtml').at(-1), '/d.xhtml');
});

test('names of any spelling give URLs below the root of the pages, or none', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (list) => {
      for (const url of pageUrls(sphinx, list, () => false)) {
        const { origin, search, hash } = new URL(url);
        assert.deepEqual([origin, search, hash], ['http://h', '', '']);
      }
      for (const url of pageUrls(mkdocs, list, () => false)) assert.ok(URL.canParse(url));
    }),
  );
  const named = ['', 'a/', 'a/#x', 'a/?q=1#y', 'b.html#z', '../up', '//other/', 'http://other/', 'http://['];
  assert.deepEqual(
    [...pageUrls(mkdocs, named, () => false)],
    [
      ...[
        'http://h/docs/',
        'http://h/docs/a/',
        'http://h/docs/a/?q=1',
        'http://h/docs/b.html',
        'http://h/up',
      ],
      ...['http://other/', 'http://other/'],
    ],
  );
});
