import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { serveHttp } from '../../http/index.ts';
import { isGarnerError, ManualClock, seededRandom, systemClock } from '../../kernel/index.ts';
import { type Oid, oidOf, type ServerId } from '../../soif/index.ts';
import { orders } from '../engines/model/search-engine.ts';
import { brokerErrors } from '../errors.ts';
import { brokerRoutes } from '../routes/routes.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { FrozenLists } from './frozen-lists.ts';
import type { SearchAnswer, SearchHit, SearchParameters } from './search-answer.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
/** 40 pages of one source, three of each content; years 2020 to 2023. */
const page = (source: Source, number: number, text = 'common words') =>
  source.put(`page-${number}`, `${text} ${number % 7}`, now(), [
    ['MD5', md5(String(Math.floor(number / 3)))],
    ['Last-Modification-Time', Date.UTC(2020 + (number % 4), number % 12, 3) / 1000],
    ['File-Size', 1000 - number],
    ['Language', number % 2 === 0 ? 'en' : 'de'],
  ]);

async function topic(path: string) {
  const sources = [await Source.open(join(path, 'one')), await Source.open(join(path, 'two'))] as const;
  for (const [at, source] of sources.entries())
    await source.folder.store.apply(Array.from({ length: 20 }, (_, index) => page(source, index * 2 + at)));
  const broker = await OpenBroker.open(
    join(path, 'broker'),
    sources.map(({ url }) => url),
  );
  broker.broker.start();
  await broker.fresh();
  const search = (own: Partial<SearchParameters> = {}) =>
    broker.broker.queries.search({ q: 'common', limit: 100, offset: 0, sources: [], types: [], ...own });
  return {
    ...{ sources, broker, search },
    [Symbol.asyncDispose]: async () => {
      await broker[Symbol.asyncDispose]();
      for (const source of sources) await source[Symbol.asyncDispose]();
    },
  };
}

const oids = ({ hits }: SearchAnswer) => hits.map(({ oid }) => oid);
const all = ({ hits }: SearchAnswer) =>
  hits.flatMap(({ oid, also }) => [oid, ...also.map((copy) => copy.oid)]);

test('pages of any size, in any order, folded and grouped or not, make up the whole list', async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const presentation = fc.record({
    order: fc.option(fc.record({ by: fc.constantFrom(...orders), reversed: fc.boolean() })),
    fold: fc.boolean(),
    perSource: fc.option(fc.integer({ min: 1, max: 9 })),
    limit: fc.integer({ min: 1, max: 17 }),
    byCursor: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(presentation, async ({ order, perSource, fold, limit, byCursor }) => {
      const options = { fold, ...(order && { order }), ...(perSource && { perSource }) };
      const whole = await opened.search(options);
      assert.equal(whole.entries, whole.hits.length);
      assert.equal(whole.total, 40);
      if (perSource === null) {
        assert.equal(new Set(all(whole)).size, 40, 'folding loses nothing');
        assert.equal(all(whole).length, 40, 'no hit comes twice');
      } else {
        for (const { id } of whole.sources)
          assert.ok(whole.hits.filter(({ source }) => source === id).length <= perSource);
      }
      const paged: Oid[] = [];
      let cursor: string | null = byCursor ? '*' : null;
      for (let offset = 0; offset < whole.entries; offset += limit) {
        const part: SearchAnswer = await opened.search({
          ...options,
          limit,
          ...(cursor === null ? { offset } : { cursor }),
        });
        paged.push(...oids(part));
        if (byCursor) assert.equal(part.cursor === null, offset + limit >= whole.entries);
        cursor = part.cursor;
      }
      assert.deepEqual(paged, oids(whole));
    }),
    { numRuns: 60 },
  );
});

test('orders, facets and filters agree', async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const dates = async (reversed: boolean) =>
    (await opened.search({ order: { by: 'date', reversed } })).hits.map(({ modifiedAt }) => modifiedAt ?? 0);
  assert.deepEqual(
    await dates(false),
    (await dates(false)).toSorted((a, b) => b - a),
  );
  assert.deepEqual(
    await dates(true),
    (await dates(true)).toSorted((a, b) => a - b),
  );
  const titles = (await opened.search({ order: { by: 'title', reversed: false } })).hits;
  assert.deepEqual(
    titles.map(({ title }) => title),
    Array.from({ length: 40 }, (_, number) => `Page page-${number}`),
    'numbers by their value',
  );
  const whole = await opened.search();
  const year = whole.facets.more.find(({ name }) => name === 'year');
  assert.deepEqual(
    year?.values,
    ['2023', '2022', '2021', '2020'].map((value) => ({ value, count: 10 })),
  );
  const chosen = await opened.search({ filters: [{ facet: 'year', values: ['2021', '2022'] }] });
  assert.equal(chosen.total, 20);
  assert.ok(
    chosen.hits.every(({ modifiedAt }) => /^202[12]/.test(new Date((modifiedAt ?? 0) * 1000).toISOString())),
  );
  assert.deepEqual(chosen.facets.more.find(({ name }) => name === 'year')?.values, year?.values);
  const months = chosen.facets.more.find(({ name }) => name === 'month')?.values ?? [];
  assert.equal(
    months.reduce((sum, { count }) => sum + count, 0),
    20,
  );
  assert.equal((await opened.search({ filters: [{ facet: 'month', values: ['2021-02'] }] })).total, 4);
  for (const filter of [
    { facet: 'year', values: ['nonsense'] },
    { facet: 'unknown', values: ['x'] },
  ])
    await assert.rejects(opened.search({ filters: [filter] }), /as in year:2024|the facets here are year/);
});

test('JSON lines carry the whole list, made only as far as it is read', async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const routes = brokerRoutes(opened.broker.broker);
  await using server = await serveHttp({ routes, port: 0, clock: systemClock, title: 'x', version: '0' });
  const lines = async (query: string) => {
    const response = await fetch(`${server.url}search?format=jsonl&${query}`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/jsonl/);
    const text = await response.text();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as SearchHit);
  };
  const whole = await opened.search();
  assert.deepEqual(
    (await lines('q=common')).map((hit) => ({ ...hit, score: 1 })),
    whole.hits.map((hit) => ({ ...hit, score: 1 })),
  );
  assert.equal(
    (await lines('q=common&fold=1&sort=-date')).length,
    (await opened.search({ fold: true })).entries,
  );
  assert.deepEqual(
    (await lines('q=comon&limit=3&offset=2')).map(({ oid }) => oid),
    oids(whole).slice(2, 5),
  );
  assert.deepEqual(await lines('q=absent'), []);
  assert.equal((await fetch(`${server.url}search?q=x&format=xml`)).status, 400);
  assert.equal((await fetch(`${server.url}search?q=x&limit=101`)).status, 400);
  let described = 0;
  const { queries } = opened.broker.broker;
  for await (const _hit of queries.hits({ q: 'common', limit: 1_000, offset: 0, sources: [], types: [] }))
    if (++described === 2) break;
  assert.equal(described, 2);
});

test('a cursor leads through the frozen list, whatever changes meanwhile', async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const { sources, broker } = opened;
  const before = oids(await opened.search());
  const first = await opened.search({ cursor: '*', limit: 7 });
  const seen = [...oids(first)];
  const deleted = sources[0].oid('page-38');
  assert.ok(!seen.includes(deleted));
  let { cursor } = first;
  for (let round = 0; cursor !== null; round++) {
    // New ones that rank first, changed ones, and a deleted one.
    await sources[0].folder.store.apply([
      sources[0].put(`new-${round}`, 'common common common', now()),
      page(sources[0], 2 * round, 'common other'),
      ...(round === 0 ? [{ kind: 'delete' as const, oid: deleted }] : []),
    ]);
    await broker.fresh();
    const next: SearchAnswer = await opened.search({ cursor, limit: 7 });
    // The same request gives the same page.
    assert.deepEqual(oids(await opened.search({ cursor, limit: 7 })), oids(next));
    seen.push(...oids(next));
    cursor = next.cursor;
  }
  assert.deepEqual(
    seen,
    before.filter((oid) => oid !== deleted),
  );
  await assert.rejects(opened.search({ cursor: 'AAAAAAAAAAAAAAAA.0' }), (error) =>
    isGarnerError(error, brokerErrors.BROKER_CURSOR),
  );
});

test("a cursor skips nothing, begins at the requested offset and ends with the query's list, by one evaluation", async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const whole = oids(await opened.search());
  const none = await opened.search({ cursor: '*', limit: 0 });
  assert.deepEqual(oids(none), []);
  assert.ok(none.cursor !== null);
  const { engine } = opened.broker.broker;
  const calls: string[] = [];
  const [search, matches] = [engine.search.bind(engine), engine.matches.bind(engine)];
  engine.search = (request) => {
    calls.push('search');
    return search(request);
  };
  engine.matches = (request) => {
    calls.push('matches');
    return matches(request);
  };
  const start = await opened.search({ cursor: none.cursor, limit: 3 });
  assert.deepEqual(oids(start), whole.slice(0, 3));
  const cut = await opened.search({ q: 'common #max 9', cursor: '*', offset: 4, limit: 3 });
  const rest = await opened.search({ cursor: cut.cursor ?? '', limit: 50 });
  assert.deepEqual([...oids(cut), ...oids(rest)], whole.slice(4, 9));
  assert.deepEqual([rest.cursor, cut.entries, cut.total], [null, 9, 40]);
  const lines: SearchHit[] = [];
  const all = { q: 'common', limit: 1_000, offset: 38, sources: [], types: [] };
  for await (const hit of opened.broker.broker.queries.hits(all)) lines.push(hit);
  assert.deepEqual(
    lines.map(({ oid }) => oid),
    whole.slice(38),
  );
  assert.deepEqual(calls, ['search', 'search']);
});

test('a client that disconnects ends its search', async () => {
  await using folder = await scratch();
  await using opened = await topic(folder.path);
  const route = brokerRoutes(opened.broker.broker).find(({ path }) => path === '/search');
  const signal = AbortSignal.abort();
  const query = { q: '/comm.n/', format: 'json' };
  const request = { method: 'GET', url: '/search', path: '/search', params: {}, headers: {} } as const;
  const handled = async () =>
    route?.handle({ ...request, query, queries: {}, body: new Uint8Array(), signal });
  await assert.rejects(handled, { name: 'AbortError' });
});

test('frozen lists are dropped when unread for too long or too many, the oldest first', () => {
  const clock = new ManualClock();
  const lists = new FrozenLists<string>(clock, seededRandom(1));
  const some = Array.from({ length: 3000 }, (_, index) =>
    oidOf('AAAAAAAAAAAAAAAAAAAAAA' as ServerId, `${index}`),
  );
  const stored = lists.freeze(some, 'kept');
  const { list } = lists.find(stored);
  assert.deepEqual([list.about, list.length], ['kept', 3000]);
  assert.deepEqual(list.slice(0, 9999), some);
  assert.deepEqual(list.slice(2999, 5), some.slice(2999));
  assert.deepEqual(list.slice(5000, 5), []);
  assert.equal(lists.after(stored, 3000), null);
  const unread = lists.freeze([], 'empty');
  const isExpired = (error: unknown) => isGarnerError(error, brokerErrors.BROKER_CURSOR);
  clock.advance(9 * 60_000);
  lists.find(stored);
  clock.advance(2 * 60_000);
  assert.throws(() => lists.find(unread), isExpired);
  lists.find(stored);
  for (let more = 0; more < 256; more++) lists.freeze([], 'more');
  assert.throws(() => lists.find(stored), isExpired);
  for (const nonsense of ['', '.', 'x.1', `${stored}9999999`, '*'])
    assert.throws(() => lists.find(nonsense), isExpired);
});
