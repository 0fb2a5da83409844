import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { schemes } from '../../awareness/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { brokerStatus } from '../routes/routes.ts';
import { OpenBroker, Source, scratch } from '../testing/topic.ts';
import { ObjectTable } from './object-table.ts';
import { measureOf, RoundHistory, type SchemeMeasure } from './round-history.ts';

const server = Buffer.alloc(16, 1).toString('base64url') as ServerId;
const round = {
  ...{ at: 1_700_000_000, schemes: ['log'], bytesUp: 50, bytesDown: 900, ms: 12 },
  ...{ learned: 2, refreshed: 0, forgotten: 1 },
};

test('the last fifty rounds of a source are stored, oldest first', () => {
  const history = new RoundHistory();
  for (let at = 1; at <= 60; at++) history.note(server, { ...round, at });
  assert.deepEqual(
    history.of(server).map(({ at }) => at),
    Array.from({ length: 50 }, (_, i) => i + 11),
  );
  history.forget(server);
  assert.deepEqual(history.of(server), []);
});

test('a round measures its scheme only where it ran alone', () => {
  const [before, after] = [
    { held: 10, lsn: 40 },
    { count: 12, lsn: 43, objectBytes: 300 },
  ];
  const measure = measureOf(round, before, after);
  assert.deepEqual(
    { ...measure, predicted: undefined },
    { scheme: 'log', at: round.at, bytesUp: 50, bytesDown: 900, ms: 12, predicted: undefined },
  );
  assert.ok((measure?.predicted.bytesDown ?? 0) > 2 * 300, 'two objects at least');
  for (const several of [[], ['log', 'signature'], ['no such scheme']])
    assert.equal(measureOf({ ...round, schemes: several }, before, after), undefined, several.join());
});

test('the last cost of each scheme survives a restart, once for each scheme, and is removed with its source', async () => {
  await using folder = await scratch();
  const measure = (scheme: string, at: number): SchemeMeasure => ({
    ...{ scheme, at, bytesUp: 1, bytesDown: 2, ms: 3 },
    predicted: { bytesUp: 1, bytesDown: 2 },
  });
  {
    await using database = await openDatabase(join(folder.path, 'table'));
    const table = await ObjectTable.open(database);
    await table.note({ serverId: server, name: 'one', url: 'ws://one/', lastLearnedAt: null });
    await table.measure(server, measure('of another version', 1));
    for (const at of [1, 2]) for (const { name } of schemes) await table.measure(server, measure(name, at));
  }
  {
    await using database = await openDatabase(join(folder.path, 'table'));
    const table = await ObjectTable.open(database);
    assert.deepEqual(
      table.measures(server).map(({ scheme, at }) => [scheme, at]),
      schemes.map(({ name }) => [name, 2]),
    );
    await table.forget(server);
  }
  await using database = await openDatabase(join(folder.path, 'table'));
  const table = await ObjectTable.open(database);
  await table.note({ serverId: server, name: 'one', url: 'ws://one/', lastLearnedAt: null });
  assert.deepEqual((await ObjectTable.open(database)).measures(server), []);
});

test('the status lists the rounds of each source, also of a source that is no longer named', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'beta')]);
  interface Status {
    readonly sources: readonly {
      readonly state: string;
      readonly rounds: readonly { readonly schemes: readonly string[]; readonly learned: number }[];
      readonly schemes: readonly SchemeMeasure[];
    }[];
  }
  const statusOf = async ({ broker }: OpenBroker) => (await brokerStatus(broker)) as unknown as Status;
  {
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
    assert.equal((await statusOf(topic)).sources[0]?.state, 'down', 'no round has begun');
    topic.broker.start();
    await topic.fresh();
    await topic.fresh();
    const [source] = (await statusOf(topic)).sources;
    const rounds = source?.rounds.map(({ schemes, learned }) => ({ schemes, learned }));
    // Hints may have brought rounds of their own.
    assert.deepEqual(rounds?.[0], { schemes: ['log'], learned: 2 });
    assert.deepEqual(rounds?.at(-1), { schemes: [], learned: 0 });
    assert.deepEqual(
      source?.schemes.map(({ scheme }) => scheme),
      ['log'],
    );
    assert.ok((source?.schemes[0]?.bytesDown ?? 0) > 100);
  }
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), []);
  const [former] = (await statusOf(topic)).sources;
  assert.deepEqual([former?.state, former?.rounds, former?.schemes.length], ['down', [], 1]);
});
