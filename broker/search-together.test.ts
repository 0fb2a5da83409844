import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../fetch/index.ts';
import { serveHttp } from '../http/index.ts';
import { systemClock } from '../kernel/index.ts';
import { askAt, brokerBehind } from './remote-broker.ts';
import { brokerRoutes } from './routes.ts';
import { searchTogether } from './search-together.ts';
import { OpenBroker, Source, scratch } from './topic-fixture.test.ts';

const filler = (n: number) => `lorem ipsum dolor sit amet number ${n}`;

test('two Brokers are searched over HTTP as one list, and one that is away is named', async () => {
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
  const gone = 'http://127.0.0.1:1';
  await using client = new HttpClient({
    ...{ userAgent: 'Garner/test', allowHosts: [http.url, gone], delayMs: 0, retries: 0 },
  });
  const here = {
    name: 'here',
    statistics: (q: string) => first.broker.queries.statistics(q),
    search: first.broker.queries.search.bind(first.broker.queries),
  };
  const there = brokerBehind(http.url, askAt(http.url, client.fetch));
  const away = brokerBehind(gone, askAt(gone, client.fetch));
  const asked = { q: 'kettle', limit: 30, offset: 0, sources: [], types: [] };
  const alone = await first.broker.queries.search(asked);
  const together = await searchTogether([here, there, away], asked);
  assert.equal(together.hits[0]?.oid, two.oid('best'));
  const passing = together.hits.filter(({ oid }) => oid === one.oid('passing'));
  // Both have it; it is shown once, and no longer as if the word were rare.
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
      [gone, 0, false],
    ],
  );
  const pages = [0, 5, 10].map((offset) =>
    searchTogether([here, there], { ...asked, limit: 5, offset }).then(({ hits }) => hits),
  );
  assert.deepEqual(
    (await Promise.all(pages)).flat().map(({ oid }) => oid),
    together.hits.slice(0, 15).map(({ oid }) => oid),
  );
  const any = await searchTogether([here, there], { ...asked, q: 'kettle spout' });
  assert.deepEqual([any.relaxed, any.total], [true, 24]);
  await assert.rejects(searchTogether([away], asked), { code: 'FETCH_REFUSED' });
});

test('an answer that is not what a Broker says is an error', async () => {
  const answers: unknown[] = [null, 7, {}, { text: '[]' }, { text: 1 }, { total: 1, hits: [{}], notes: [] }];
  for (const answer of answers) {
    const broker = brokerBehind('strange', async () => answer);
    await assert.rejects(broker.statistics('x'), { code: 'BROKER_REMOTE' });
    const search = broker.search({ q: 'x', limit: 1, offset: 0, sources: [], types: [] });
    await assert.rejects(search, { code: 'BROKER_REMOTE' });
  }
});
