import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { HttpClient } from '../../fetch/index.ts';
import { serveHttp } from '../../http/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { orders } from '../engines/model/search-engine.ts';
import { searchParameters } from '../requests/search-parameters.ts';
import { brokerRoutes } from '../routes/routes.ts';
import { statisticsText } from '../searching/collection-statistics.ts';
import type { SearchHit, SearchParameters } from '../searching/search-answer.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { askAt, brokerBehind } from './remote-broker.ts';
import type { SearchedBroker } from './remote-list.ts';
import { maxMerged, searchTogether } from './search-together.ts';

const base = { q: 'common', limit: 10, offset: 0, sources: [], types: [] };
const filler = (n: number) => `lorem ipsum dolor sit amet number ${n}`;

test('two Brokers are searched over HTTP as one list, and an unreachable one is named', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using two = await Source.open(join(folder.path, 'two'));
  // The word is rare in the first and common in the second.
  await one.folder.store.apply([
    one.put('passing', `kettle ${filler(0)} ${filler(1)} ${filler(2)}`),
    ...Array.from({ length: 30 }, (_, n) => one.put(`one${n}`, filler(n))),
  ]);
  await two.folder.store.apply([
    two.put('best', 'kettle kettle kettle'),
    ...Array.from({ length: 20 }, (_, n) => two.put(`kettle${n}`, `kettle ${filler(n)}`)),
    two.put('both', 'a spout'),
  ]);
  await using first = await OpenBroker.open(join(folder.path, 'first'), [one.url]);
  await using second = await OpenBroker.open(join(folder.path, 'second'), [two.url, one.url]);
  for (const { broker } of [first, second]) broker.start();
  await first.fresh();
  await second.fresh();
  await using http = await serveHttp({
    routes: brokerRoutes(second.broker),
    ...{ port: 0, clock: systemClock, title: 'test', version: '0' },
  });
  const unreachable = 'http://127.0.0.1:1';
  await using client = new HttpClient({
    ...{ userAgent: 'Garner/test', allowHosts: [http.url, unreachable], delayMs: 0, retries: 0 },
  });
  const here = {
    name: 'here',
    statistics: (q: string) => first.broker.queries.statistics(q),
    search: first.broker.queries.search.bind(first.broker.queries),
  };
  const there = brokerBehind(http.url, askAt(http.url, client.fetch, { clock: systemClock }));
  const away = brokerBehind(unreachable, askAt(unreachable, client.fetch, { clock: systemClock }));
  const kettles = { ...base, q: 'kettle', limit: 30 };
  const alone = await first.broker.queries.search(kettles);
  const together = await searchTogether([here, there, away], kettles);
  assert.equal(together.hits[0]?.oid, two.oid('best'));
  const passing = together.hits.filter(({ oid }) => oid === one.oid('passing'));
  // Both have it. It is shown once, and no longer ranked as if the word were rare.
  assert.deepEqual(
    passing.map(({ broker }) => broker),
    ['here'],
  );
  assert.ok((passing[0]?.score ?? 9) < (alone.hits[0]?.score ?? 0) / 2);
  assert.deepEqual(
    together.brokers.map(({ name, total, error }) => [name, total, error === null]),
    [
      ['here', 1, true],
      [http.url, 22, true],
      [unreachable, 0, false],
    ],
  );
  const pages = [0, 5, 10].map((offset) =>
    searchTogether([here, there], { ...kettles, limit: 5, offset }).then(({ hits }) => hits),
  );
  assert.deepEqual(
    (await Promise.all(pages)).flat().map(({ oid }) => oid),
    together.hits.slice(0, 15).map(({ oid }) => oid),
  );
  const any = await searchTogether([here, there], { ...kettles, q: 'kettle spout' });
  assert.deepEqual([any.relaxed, any.total], [true, 24]);
  await assert.rejects(searchTogether([away], kettles), { code: 'FETCH_REFUSED' });
});

const queriesOf = (name: string, { broker: { queries } }: OpenBroker) => ({
  name,
  statistics: (q: string) => queries.statistics(q),
  search: (parameters: SearchParameters) => queries.search(parameters),
});

/** The same over its API. */
const overHttp = (name: string, opened: OpenBroker): SearchedBroker =>
  brokerBehind(name, (path) => {
    const { searchParams } = new URL(path, 'http://example.org/');
    const names = [...new Set(searchParams.keys())];
    const request = {
      query: Object.fromEntries(names.map((one) => [one, searchParams.get(one) ?? ''])),
      queries: Object.fromEntries(names.map((one) => [one, searchParams.getAll(one)])),
    };
    const { queries } = opened.broker;
    return path.startsWith('/statistics')
      ? queries.statistics(request.query.q ?? '').then((found) => ({ text: statisticsText(found) }))
      : queries.search(searchParameters(request));
  });

test('orders, filters, folding, groups and bounds of two Brokers equal those of one with all objects', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using two = await Source.open(join(folder.path, 'two'));
  for (const [at, source] of [one, two].entries())
    await source.folder.store.apply(
      Array.from({ length: 130 }, (_, index) => {
        const number = index * 2 + at;
        return source.put(`page-${number}`, `common words ${number % 7}`, now(), [
          [
            'MD5',
            createHash('md5')
              .update(String(index >> 1) + at)
              .digest('hex'),
          ],
          [
            'Last-Modification-Time',
            Date.UTC(2020 + (number % 4), number % 12, (number % 25) + 1) / 1000 + number,
          ],
          ['File-Size', 1000 - number],
          ['Type', number % 3 === 0 ? 'Text' : 'HTML'],
        ]);
      }),
    );
  await using all = await OpenBroker.open(join(folder.path, 'all'), [one.url, two.url]);
  await using first = await OpenBroker.open(join(folder.path, 'first'), [one.url]);
  await using second = await OpenBroker.open(join(folder.path, 'second'), [two.url]);
  for (const opened of [all, first, second]) {
    opened.broker.start();
    await opened.fresh();
  }
  const brokers = [queriesOf('here', first), overHttp('there', second)];
  const whole = async (own: Partial<SearchParameters>) => {
    const hits: SearchHit[] = [];
    for (let offset = 0; offset < 300; offset += 100)
      hits.push(...(await all.broker.queries.search({ ...base, ...own, limit: 100, offset })).hits);
    return hits.map(({ oid }) => oid);
  };
  const presentation = fc.record({
    by: fc.constantFrom(...orders),
    reversed: fc.boolean(),
    fold: fc.boolean(),
    filtered: fc.boolean(),
    perSource: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    max: fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined }),
    limit: fc.integer({ min: 0, max: 150 }),
    offset: fc.integer({ min: 0, max: 250 }),
  });
  await fc.assert(
    fc.asyncProperty(
      presentation,
      async ({ by, reversed, fold, filtered, perSource, max, limit, offset }) => {
        const own = {
          ...{ order: { by, reversed }, fold },
          ...(perSource === undefined ? {} : { perSource }),
          ...(max === undefined ? {} : { options: { max } }),
          ...(filtered ? { filters: [{ facet: 'year', values: ['2021', '2023'] }], types: ['Text'] } : {}),
        };
        const { hits, facets } = await searchTogether(brokers, { ...base, ...own, limit, offset });
        assert.deepEqual(
          hits.map(({ oid }) => oid),
          (await whole(own)).slice(offset, offset + limit),
        );
        const { facets: counted } = await all.broker.queries.search({ ...base, ...own });
        for (const kind of ['source', 'type'] as const)
          assert.deepEqual(counts(facets[kind]), counts(counted[kind]), kind);
        assert.deepEqual(facets.more, counted.more);
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 15) },
  );
  await assert.rejects(searchTogether(brokers, { ...base, limit: 1, offset: maxMerged }), {
    code: 'BROKER_QUERY',
  });
  const exact = await searchTogether(brokers, { ...base, q: 'common absent', exact: true });
  assert.deepEqual([exact.total, exact.relaxed], [0, false]);
});

const counts = (facet: readonly { readonly value: string; readonly count: number }[]) =>
  Object.fromEntries(facet.map(({ value, count }) => [value, count]));

test('a query without matches is corrected once for all Brokers, or widened by all', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using two = await Source.open(join(folder.path, 'two'));
  await one.folder.store.apply([
    ...Array.from({ length: 5 }, (_, n) => one.put(`a${n}`, 'a kettle of copper')),
    one.put('spout', 'a spout'),
  ]);
  await two.folder.store.apply([
    ...Array.from({ length: 5 }, (_, n) => two.put(`b${n}`, 'a nettle of green')),
    two.put('kettle', 'one kettle too'),
  ]);
  await using first = await OpenBroker.open(join(folder.path, 'first'), [one.url]);
  await using second = await OpenBroker.open(join(folder.path, 'second'), [two.url]);
  for (const opened of [first, second]) {
    opened.broker.start();
    await opened.fresh();
  }
  const brokers = [queriesOf('here', first), overHttp('there', second)];
  // Alone, the second would have corrected it to nettles.
  const alone = await second.broker.queries.search({ ...base, q: 'xettle' });
  assert.equal(alone.corrected, 'nettle');
  const corrected = await searchTogether(brokers, { ...base, q: 'xettle' });
  assert.deepEqual([corrected.corrected, corrected.total, corrected.query], ['kettle', 6, 'xettle']);
  const widened = await searchTogether(brokers, { ...base, q: 'spout green' });
  assert.deepEqual([widened.relaxed, widened.corrected, widened.total], [true, null, 6]);
  const refused = await searchTogether(brokers, { ...base, q: 'spout green', widen: false });
  assert.equal(refused.total, 0);
});

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The value with the part at a path replaced; undefined removes the part. */
function replaced(value: Json, [name, ...rest]: readonly string[], by: Json | undefined): Json {
  if (name === undefined) return by ?? null;
  const of = (inner: Json) => replaced(inner, rest, by);
  if (Array.isArray(value)) return value.map((inner, at) => (String(at) === name ? of(inner) : inner));
  const fields = Object.entries(value as { [name: string]: Json }).flatMap(
    ([own, inner]): [string, Json][] => {
      if (own !== name) return [[own, inner]];
      return rest.length === 0 && by === undefined ? [] : [[own, of(inner)]];
    },
  );
  return Object.fromEntries(fields);
}

function* pathsOf(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, name]);
}

test('an answer with any invalid field is an error', async () => {
  const range = [[0, 1]];
  const copy = { oid: 'A'.repeat(43), url: 'http://x/', source: 's', sourceName: 'S' };
  const answer: Json = {
    ...{ query: 'x', understood: 'x', notes: ['n'], total: 1, entries: 1, tookMs: 1.5, relaxed: false },
    hits: [
      {
        ...{ ...copy, title: 't', titleMatches: range, snippet: 's', matches: range, attributes: ['Title'] },
        lines: [{ attribute: 'Title', line: 1, text: 't', matches: range }],
        ...{ score: 1.5, type: 'HTML', size: 7, updatedAt: 7, modifiedAt: 7, also: [copy], alsoTotal: 1 },
        ...{ access: ['table'], shown: [{ label: 'l', value: 'v' }] },
      },
    ],
    facets: {
      source: [{ value: 's', name: 'S', count: 1 }],
      type: [{ value: 'HTML', count: 1 }],
      more: [{ name: 'year', values: [{ value: '2024', count: 1 }] }],
    },
    sources: [{ id: 's', name: 'S', state: 'ok' }],
    ...{ suggestion: 'y', corrected: 'y', scanned: { read: 1, of: 1 }, rebuilding: null, cursor: null },
  };
  const search = (given: Json) => brokerBehind('strange', async () => given).search({ ...base, limit: 1 });
  assert.equal((await search(answer)).total, 1);
  let refused = 0;
  for (const path of pathsOf(answer))
    for (const by of [undefined, {}, [], 7, -1, 'text', '', null, [[1, 0]], [null]] as const) {
      const given = replaced(answer, path, by);
      try {
        assert.deepEqual(Object.keys(await search(given)).length > 10, true);
      } catch (error) {
        assert.equal((error as { code?: unknown }).code, 'BROKER_REMOTE', path.join('.'));
        refused++;
      }
    }
  assert.ok(refused > 300, `${refused} refused`);
  for (const name of ['lines', 'shown', 'also', 'access', 'attributes', 'size'])
    await assert.rejects(search(replaced(answer, ['hits', '0', name], undefined)), { code: 'BROKER_REMOTE' });
  for (const name of ['facets', 'sources', 'entries', 'notes', 'suggestion', 'corrected', 'rebuilding'])
    await assert.rejects(search(replaced(answer, [name], undefined)), { code: 'BROKER_REMOTE' });
  const many = { ...answer, hits: [1, 2].flatMap(() => (answer as { hits: readonly Json[] }).hits) };
  await assert.rejects(search(many), { code: 'BROKER_REMOTE' }, 'more hits than were requested');
  for (const given of [null, 7, {}, { text: '[]' }, { text: 1 }])
    await assert.rejects(brokerBehind('strange', async () => given).statistics('x'), {
      code: 'BROKER_REMOTE',
    });
});
