import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery, relax } from '../../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor';

/** Names of the pages that a query finds, best first. */
async function ranked(pages: Readonly<Record<string, string>>, query: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-ranking-'));
  try {
    await using database = await openDatabase(folder);
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    const urlOf = (name: string) => `http://example.org/${name}`;
    const names = new Map(Object.keys(pages).map((name) => [oidOf(gatherer, urlOf(name)), name]));
    await engine.apply(
      Object.entries(pages).map(([name, text]) => ({
        kind: 'put',
        oid: oidOf(gatherer, urlOf(name)),
        source: 's',
        object: summaryObject(urlOf(name), [['Full-Text', text]]),
      })),
      1,
    );
    const { hits } = await engine.search({ query: parseQuery(query).query, limit: 100, offset: 0 });
    return hits.map(({ oid }) => names.get(oid) as string);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Pages without a topic, so that frequencies have a meaning. */
const others = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`other${n}`, `${filler} page ${n}`]));

test('words that are together in the query count for more where they are together in a text', async () => {
  const found = await ranked(
    {
      ...others(20),
      apart: `binary ${filler} ${filler} search ${filler}`,
      near: `search in binary ${filler} ${filler} ${filler}`,
      together: `binary search ${filler} ${filler} ${filler}`,
    },
    'binary search',
  );
  assert.deepEqual(found, ['together', 'near', 'apart']);
});

test('of two equally rare words the one that is frequent where it occurs weighs more', async () => {
  const found = await ranked(
    {
      ...others(20),
      passing: `mentioned ${filler}`,
      topic: `kettle ${filler}`,
      more: `kettle kettle kettle kettle kettle ${filler} ${filler} ${filler}`,
      'mentioned too': `mentioned ${filler} ${filler} ${filler}`,
    },
    'mentioned OR kettle',
  );
  assert.ok(found.indexOf('topic') < found.indexOf('passing'), found.join());
});

test('no object ranks by words that every text has, unless the query has no others', async () => {
  const pages = { ...others(20), is: `what is the ${filler}`, kettle: `kettle ${filler} ${filler}` };
  assert.deepEqual(await ranked(pages, 'what OR is OR the OR kettle'), ['kettle', 'is']);
  assert.deepEqual(await ranked(pages, 'what is the'), ['is']);
});

test('a query with optional words leaves stop words out', () => {
  const relaxed = (text: string) => relax(parseQuery(text).query);
  assert.deepEqual(relaxed('the kettle'), { kind: 'word', word: 'kettle' });
  assert.deepEqual(relaxed('the old kettle -tea'), {
    kind: 'and',
    operands: [
      {
        kind: 'or',
        operands: [
          { kind: 'word', word: 'old' },
          { kind: 'word', word: 'kettle' },
        ],
      },
      { kind: 'not', operand: { kind: 'word', word: 'tea' } },
    ],
  });
  assert.equal(relaxed('to be')?.kind, 'or');
  assert.equal(relaxed('kettle'), undefined);
});

test('a name with its signs comes before its bare words, in titles and texts', async () => {
  for (const [query, name, bare] of [
    ['.NET', 'Made with .NET', 'net'],
    ['notepad++', 'Open it in Notepad++.', 'notepad'],
    ['os.path', 'Call os.path.join(a, b).', 'os path'],
    ['node.js', '(Node.js)', 'node js'],
    ['foo::bar', 'It is foo::bar().', 'foo bar'],
    ['std::vector', 'Use std::vector<int> here', 'std vector'],
    ['$PATH', 'Add it to $PATH', 'path'],
    ['AT&T', 'A line of AT&T', 'at t'],
    ['--force', 'Use --force', 'force'],
    ['__init__', 'See __init__', 'init'],
    ['node.js streams', 'Streams of node.js', 'node js streams'],
  ] as const) {
    const pages = {
      ...others(5),
      bare,
      often: `${bare}. ${bare}, ${bare}`,
      name: `${filler} ${filler} ${name} ${filler} ${filler}`,
    };
    const found = await ranked(pages, query);
    assert.equal(found[0], 'name', query);
    assert.deepEqual(new Set(found), new Set(['name', 'bare', 'often']), query);
    assert.notEqual((await ranked(pages, bare))[0], 'name', bare);
  }
});

test('a word as it was typed comes before its other spellings, whichever is written more often', async () => {
  const pages = {
    ...others(9),
    joined: `${filler} lawbreakers`,
    apart: `${filler} law-breakers, law-breakers`,
  };
  assert.deepEqual(await ranked(pages, 'lawbreakers'), ['joined', 'apart']);
});

test('a whole word comes before the same word as a part of a name, however often', async () => {
  const pages = {
    ...others(9),
    whole: `${filler} java`,
    part: 'JavaScript, JavaScript and JavaScript. JavaScript! JavaScript? JavaScript; JavaScript.',
  };
  assert.deepEqual(await ranked(pages, 'java'), ['whole', 'part']);
});
