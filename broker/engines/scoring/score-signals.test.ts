import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../kernel/index.ts';
import { parseQuery } from '../../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';
import { freshnessOf, popularityOf, type SignalOptions } from './score-signals.ts';

const now = 1_700_000_000;
const clock = new ManualClock(now * 1000);
const day = 86_400;
const halfLifeSeconds = 100 * day;
const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

interface Page {
  readonly host: string;
  readonly text: string;
  /** 0: it has none. */
  readonly ageDays?: number;
  readonly links?: readonly string[];
}

const urlOf = (name: string, { host }: Page) => `http://${host}.example/${name}`;

function objectOf(name: string, page: Page): SummaryObject {
  return summaryObject(urlOf(name, page), [
    ['Title', 'a page'],
    ['Full-Text', page.text],
    ...(page.ageDays === undefined ? [] : ([['Last-Modification-Time', now - page.ageDays * day]] as const)),
    ...(page.links === undefined ? [] : ([['URL-References', page.links.join('\n')]] as const)),
  ]);
}

type Pages = Readonly<Record<string, Page>>;

async function withEngine<Result>(
  pages: Pages,
  signals: Partial<SignalOptions> | undefined,
  use: (engine: SegmentedEngine, nameOf: (oid: Oid) => string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-signals-'));
  try {
    await using database = await openDatabase(folder);
    const names = new Map(
      Object.entries(pages).map(([name, page]) => [oidOf(gatherer, urlOf(name, page)), name]),
    );
    const objects = new Map([...names].map(([oid, name]) => [oid, objectOf(name, pages[name] as Page)]));
    await using engine = await SegmentedEngine.open({
      database,
      objectOf: async (oid) => objects.get(oid),
      ...(signals && { signals: { freshness: 0, popularity: 0, halfLifeSeconds, clock, ...signals } }),
    });
    const changes = [...objects].map(([oid, object]) => ({ kind: 'put', oid, source: 's', object }) as const);
    await engine.apply(changes, 1);
    return await use(engine, (oid) => names.get(oid) ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const queryOf = (text: string) => parseQuery(text).query;

async function scores(pages: Pages, signals: Partial<SignalOptions> | undefined, text: string) {
  return withEngine(pages, signals, async (engine, nameOf) => {
    const { hits } = await engine.search({ query: queryOf(text), limit: 100, offset: 0 });
    return hits.map(({ oid, score }) => [nameOf(oid), score] as const);
  });
}

const some = (pages: readonly Page[]): Pages =>
  Object.fromEntries(pages.map((page, n) => [`p${n}`, page] as const));

const hosts = ['a', 'b', 'c', 'd', 'e'];
const anyPage = fc.record({
  host: fc.constantFrom(...hosts),
  text: fc
    .array(fc.constantFrom('apple', 'pear', 'plum', 'fig'), { minLength: 1, maxLength: 12 })
    .map((words) => words.join(' ')),
  ageDays: fc.integer({ min: -10, max: 5000 }),
  links: fc.uniqueArray(fc.constantFrom(...hosts.map((host) => `http://${host}.example/p0`)), {
    maxLength: 3,
  }),
});
const anyPages = fc.array(anyPage, { minLength: 2, maxLength: 12 });

test('both signals lie between 0 and 1, and more never counts for less', () => {
  const seconds = fc.integer({ min: 1, max: 2 ** 32 });
  fc.assert(
    fc.property(seconds, seconds, fc.integer({ min: 1, max: 10 ** 9 }), (one, other, half) => {
      const [older, newer] = [Math.min(one, other), Math.max(one, other)];
      const [low, high] = [freshnessOf(older, now, half), freshnessOf(newer, now, half)];
      assert.ok(0 <= low && low <= high && high <= 1);
      const [few, many] = [popularityOf(older), popularityOf(newer)];
      assert.ok(0 < few && few <= many && many <= 1);
    }),
  );
  assert.equal(freshnessOf(now - 300, now, 300), 0.5);
  assert.equal(freshnessOf(0, now, 300), 0);
  assert.deepEqual([0, 1, 31, 1023, 10 ** 9].map(popularityOf), [0, 0.1, 0.5, 1, 1]);
});

test('signals with weight 0 change no score, and none counts between several Brokers', async () => {
  await fc.assert(
    fc.asyncProperty(anyPages, fc.constantFrom('apple', 'apple OR pear'), async (list, text) => {
      const pages = some(list);
      const plain = await scores(pages, undefined, text);
      assert.deepEqual(await scores(pages, {}, text), plain);
      const ask = (engine: SegmentedEngine) =>
        engine.ranker
          .statistics(queryOf(text))
          .then((statistics) => engine.search({ query: queryOf(text), limit: 100, offset: 0, statistics }));
      assert.deepEqual(
        await withEngine(pages, { freshness: 1, popularity: 1 }, ask),
        await withEngine(pages, undefined, ask),
      );
    }),
    { numRuns: 15 },
  );
});

test('a score gains by its date and its links, and at most by the set share', async () => {
  const set = { freshness: 0.2, popularity: 0.3 };
  await fc.assert(
    fc.asyncProperty(anyPages, async (list) => {
      const pages = some(list);
      const plain = new Map(await scores(pages, undefined, 'apple OR fig'));
      const linking = (url: string, host: string) =>
        new Set(
          list.filter((page) => page.host !== host && page.links.includes(url)).map((page) => page.host),
        );
      for (const [name, score] of await scores(pages, set, 'apple OR fig')) {
        const page = pages[name] as (typeof list)[number];
        const fresh = 0.2 * freshnessOf(now - page.ageDays * day, now - (now % 3600), halfLifeSeconds);
        const popular = 0.3 * popularityOf(linking(urlOf(name, page), page.host).size);
        assert.ok(Math.abs(score - (plain.get(name) ?? 0) * (1 + fresh + popular)) < 1e-9);
      }
    }),
    { numRuns: 20 },
  );
});

test('a newer date or one more host that links to it never puts a document lower', async () => {
  await fc.assert(
    fc.asyncProperty(anyPages, fc.integer({ min: 0, max: 3000 }), async (list, days) => {
      const place = async (pages: Pages) =>
        (await scores(pages, { freshness: 0.3, popularity: 0.3 }, 'apple OR pear OR plum OR fig')).findIndex(
          ([name]) => name === 'p0',
        );
      const first = list[0] as (typeof list)[number];
      const before = await place(some(list));
      const newer = some([{ ...first, ageDays: first.ageDays - days }, ...list.slice(1)]);
      assert.ok((await place(newer)) <= before);
      const url = urlOf('p0', first);
      const linked = some(list.map((page, n) => (n === 1 ? { ...page, links: [url] } : page)));
      const without = some(list.map((page, n) => (n === 1 ? { ...page, links: [] } : page)));
      assert.ok((await place(linked)) <= (await place(without)));
    }),
    { numRuns: 20 },
  );
});

test('an explanation shows the contributions of date and links, and all parts add up', async () => {
  const pages = some([
    { host: 'a', text: 'apple', ageDays: 10 },
    { host: 'b', text: 'apple pear', links: ['http://a.example/p0'] },
  ]);
  await withEngine(pages, { freshness: 0.5, popularity: 0.5 }, async (engine) => {
    const query = queryOf('apple');
    const { hits } = await engine.search({ query, limit: 10, offset: 0 });
    for (const { oid, score } of hits) {
      const explained = await engine.ranker.explain({ query, oid });
      assert.ok(explained?.signals);
      const words = explained.terms.reduce((sum, term) => sum + term.score, 0);
      const { freshness, popularity } = explained.signals;
      assert.ok(Math.abs(words + explained.nearness + freshness + popularity - score) < 1e-9);
    }
    const [first, second] = await Promise.all(
      [0, 1].map((n) =>
        engine.ranker.explain({ query, oid: oidOf(gatherer, `http://${n ? 'b' : 'a'}.example/p${n}`) }),
      ),
    );
    assert.deepEqual([first?.signals?.modifiedAt, first?.signals?.linkingHosts], [now - 10 * day, 1]);
    assert.ok((first?.signals?.freshness ?? 0) > 0 && (first?.signals?.popularity ?? 0) > 0);
    assert.deepEqual(second?.signals, { modifiedAt: null, freshness: 0, linkingHosts: 0, popularity: 0 });
  });
  await withEngine(pages, undefined, async (engine) => {
    const explained = await engine.ranker.explain({
      query: queryOf('apple'),
      oid: oidOf(gatherer, 'http://a.example/p0'),
    });
    assert.equal(explained?.signals, null);
  });
});

test('an index without link counts is restarted when they are needed, not for dates alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-signals-'));
  try {
    await using database = await openDatabase(folder);
    const opened = async (set: { freshness: number; popularity: number } | undefined) => {
      await using engine = await SegmentedEngine.open({
        database,
        objectOf: async () => undefined,
        ...(set && { signals: { ...set, halfLifeSeconds, clock } }),
      });
      const { lsn } = engine;
      const object = objectOf('p0', { host: 'a', text: 'apple' });
      await engine.apply([{ kind: 'put', oid: oidOf(gatherer, object.url), source: 's', object }], 7);
      return lsn;
    };
    assert.equal(await opened(undefined), 0);
    assert.equal(await opened({ freshness: 0.1, popularity: 0 }), 7);
    assert.equal(await opened({ freshness: 0.1, popularity: 0.1 }), 0);
    assert.equal(await opened({ freshness: 0, popularity: 0.2 }), 7);
    assert.equal(await opened(undefined), 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
