import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Language, parseQuery } from '../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import type { PostingDatabase } from './index-database/posting-database.ts';
import { SegmentedEngine } from './segmented/segmented-engine.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const urlOf = (name: string) => `http://example.org/${name}`;
const oidNamed = (name: string) => oidOf(gatherer, urlOf(name));

/** Pages by name: `language: text`. */
type Pages = Readonly<Record<string, string>>;

function objectsOf(pages: Pages): Map<Oid, SummaryObject> {
  return new Map(
    Object.entries(pages).map(([name, page]) => {
      const [language, text] = page.split(': ', 2) as [string, string];
      const named = language === '' ? [] : [['Language', language] as const];
      return [oidNamed(name), summaryObject(urlOf(name), [...named, ['Full-Text', text]])];
    }),
  );
}

async function withDatabase(use: (database: PostingDatabase) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-languages-'));
  try {
    await using database = await openDatabase(folder);
    await use(database);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const open = (database: PostingDatabase, objects: ReadonlyMap<Oid, SummaryObject>, language?: Language) =>
  SegmentedEngine.open({
    ...{ database, objectOf: async (oid) => objects.get(oid) },
    ...(language && { language }),
  });

const puts = (objects: ReadonlyMap<Oid, SummaryObject>) =>
  Array.from(objects, ([oid, object]) => ({ kind: 'put', oid, source: 's', object }) as const);

async function found(engine: SegmentedEngine, names: readonly string[], q: string): Promise<string[]> {
  const { hits } = await engine.search({ query: parseQuery(q).query, limit: 100, offset: 0 });
  return hits.map(({ oid }) => names.find((name) => oidNamed(name) === oid) as string);
}

async function withPages(
  pages: Pages,
  use: (find: (q: string) => Promise<string[]>, engine: SegmentedEngine) => Promise<void>,
): Promise<void> {
  await withDatabase(async (database) => {
    const objects = objectsOf(pages);
    await using engine = await open(database, objects);
    await engine.apply(puts(objects), 1);
    await use((q) => found(engine, Object.keys(pages), q), engine);
  });
}

test('a word finds its forms in the language of each object', async () => {
  const pages = {
    german: 'de: Viele Häuser stehen am Hafen.',
    french: 'fr: Des maisons séparées par la rue.',
    russian: 'ru: Новые книги о программе tar.',
    english: 'en: The houses were separated.',
    foreign: 'en: A book about Häuser.',
  };
  await withPages(pages, async (find) => {
    assert.deepEqual(await find('haus'), ['german']);
    assert.deepEqual(await find('Hauses'), ['german']);
    assert.deepEqual((await find('häuser')).sort(), ['foreign', 'german']);
    assert.deepEqual((await find('séparer')).sort(), ['english', 'french']);
    assert.deepEqual(await find('séparée'), ['french']);
    assert.deepEqual(await find('separees'), ['french']);
    assert.deepEqual(await find('separating'), ['english']);
    assert.deepEqual(await find('книга'), ['russian']);
    assert.deepEqual(await find('"новая книга"~0'), ['russian']);
    assert.deepEqual(await find('"programs about books"~0 OR "книг о программах tar"~0'), ['russian']);
    assert.deepEqual((await find('NOT haus')).sort(), ['english', 'foreign', 'french', 'russian']);
  });
});

test('languages are counted, and a query skips those without objects', async () => {
  const pages = { one: 'de: Häuser', two: 'de: Straßen', three: 'fr: maisons', four: ': index' };
  await withPages(pages, async (find, engine) => {
    const counts = () => Object.fromEntries(engine.languages);
    assert.deepEqual(counts(), { de: 2, fr: 1, en: 1 });
    const object = summaryObject(urlOf('two'), [
      ['Language', 'fr'],
      ['Full-Text', 'rues'],
    ]);
    await engine.apply([{ kind: 'put', oid: oidNamed('two'), source: 's', object }], 2);
    assert.deepEqual(counts(), { de: 1, fr: 2, en: 1 });
    await engine.apply([{ kind: 'remove', oid: oidNamed('one') }], 3);
    assert.deepEqual(counts(), { fr: 2, en: 1 });
    assert.deepEqual(await find('haus'), []);
    assert.deepEqual(await find('rue'), ['two']);
    assert.deepEqual(await engine.complete('hau', 5), []);
    assert.deepEqual(await engine.complete('mai', 5), ['maisons']);
  });
});

test('a word weighs by all objects that have it, in whatever language', async () => {
  const many = Array.from({ length: 30 }, (_, n) => [`german${n}`, 'de: Server im Keller'] as const);
  const pages = {
    ...Object.fromEntries(many),
    one: 'en: server',
    two: 'en: attic',
    three: 'en: server attic attic',
  };
  await withPages(pages, async (find) => {
    // In English objects alone both words are equally rare.
    assert.equal((await find('server OR attic'))[0], 'three');
    assert.equal((await find('server OR attic'))[1], 'two');
  });
});

test('a stop word of one language does not rank its objects, but ranks those of other languages', async () => {
  const pages = {
    stops: 'de: die die die die Würfel',
    telling: 'de: die Kanne Kanne Kanne',
    tool: 'en: a die die die for thread',
    other: 'en: kanne',
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`more${n}`, 'de: die Leiter'])),
  };
  await withPages(pages, async (find) => {
    const order = await find('die OR Kanne');
    assert.ok(order.indexOf('telling') < order.indexOf('stops'), `${order}`);
    assert.ok(order.indexOf('tool') < order.indexOf('stops'), `${order}`);
  });
});

test('words side by side count for more in every language', async () => {
  const apart = 'ja viele andere Worte stehen hier zwischen beiden';
  const pages = { apart: `de: Hafen ${apart} Meister`, near: `de: ${apart} Hafen Meister`, en: 'en: none' };
  await withPages(pages, async (find) => {
    assert.deepEqual(await find('häfen meistern'), ['near', 'apart']);
  });
});

test("an explanation shows the terms of the object's language", async () => {
  await withPages({ german: 'de: Häuser', english: 'en: haus' }, async (_, engine) => {
    const query = parseQuery('Haus').query;
    const terms = async (name: string) =>
      (await engine.ranker.explain({ query, oid: oidNamed(name) }))?.terms.map(({ term }) => term);
    assert.deepEqual(await terms('german'), ['de/haus', 'de/haus', '=haus']);
    assert.deepEqual(await terms('english'), ['hau', 'hau', '=haus']);
  });
});

test('words of merged segments stay completions while an object in any language has them', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `page${n}`);
  const pages = Object.fromEntries(
    names.map((name, n) => [name, n % 2 === 0 ? 'de: Häuser' : 'fr: maisons']),
  );
  await withDatabase(async (database) => {
    const objects = objectsOf(pages);
    await using engine = await open(database, objects);
    for (const [n, put] of puts(objects).entries()) await engine.apply([put], n + 1);
    for (const [n, name] of names.slice(0, 36).entries())
      await engine.apply([{ kind: 'remove', oid: oidNamed(name) }], 41 + n);
    await engine.settled();
    assert.deepEqual(await engine.complete('ha', 5), ['hauser']);
    assert.deepEqual(await engine.complete('ma', 5), ['maisons']);
  });
});

test('an index made with another fallback is rebuilt; without a given fallback it is used as found', async () => {
  const objects = objectsOf({ one: ': Häuser' });
  await withDatabase(async (database) => {
    {
      await using engine = await open(database, objects, 'de');
      await engine.apply(puts(objects), 7);
      assert.deepEqual(await found(engine, ['one'], 'haus'), ['one']);
    }
    {
      await using engine = await open(database, objects);
      assert.deepEqual([engine.lsn, engine.fallback], [7, 'de']);
    }
    await using engine = await open(database, objects, 'en');
    assert.deepEqual([engine.lsn, engine.fallback, engine.count], [0, 'en', 0]);
    await engine.apply(puts(objects), 7);
    assert.deepEqual(await found(engine, ['one'], 'haus'), []);
  });
});
