import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { schemes } from '../../awareness/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import type { AwarenessReport } from './awareness-report.ts';

const names = (report: AwarenessReport, wanted: (scheme: AwarenessReport['schemes'][number]) => boolean) =>
  report.schemes.filter(wanted).map(({ scheme }) => scheme);

test('every scheme is reported: refused with a reason, or predicted, chosen and measured', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  const { store } = one.folder;
  // Highly compressible text would say little about a link.
  const text = (n: number) => createHash('sha512').update(`${n}`).digest('hex');
  await store.apply(Array.from({ length: 300 }, (_, n) => one.put(`page${n}`, text(n))));
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
  const { broker } = topic;
  const explain = (measure = false, source = one.url) => broker.explain(source, { measure, all: false });

  const first = await explain();
  assert.deepEqual(
    [first.count, first.held, first.changes, first.same, first.want],
    [300, 0, null, false, 'objects'],
  );
  assert.equal(first.link.bandwidthMeasured, false, 'no object to measure with');
  assert.deepEqual(
    first.schemes.map(({ scheme }) => scheme),
    schemes.map(({ name }) => name),
  );

  broker.start();
  await topic.fresh();
  const equal = await explain();
  assert.deepEqual([equal.same, equal.changes, names(equal, ({ chosen }) => chosen)], [true, 0, []]);
  assert.deepEqual(
    names(equal, ({ measured }) => measured !== null),
    ['log'],
    'the last round',
  );

  // Hints bring the change at once, so the Broker that compares has stopped collecting.
  await using still = await OpenBroker.open(join(folder.path, 'still'), [one.url]);
  still.broker.start();
  await still.fresh();
  await still.broker.collector[Symbol.asyncDispose]();
  await store.apply([
    one.put('page1', 'another text', now() + 1),
    { kind: 'delete', oid: one.oid('page2') },
    one.put('new', 'a new one'),
  ]);
  const before = await (await still.folder.store.replica(one.folder.identity.serverId)).state();
  const changed = await still.broker.explain('site', { measure: true, all: false });
  assert.deepEqual(
    [changed.count, changed.held, changed.changes, changed.same, changed.want],
    [300, 300, 3, false, 'handles'],
  );
  assert.ok(changed.link.bandwidthMeasured && changed.link.bytesPerSecond > 0);
  assert.deepEqual(
    names(changed, ({ chosen }) => chosen),
    ['log'],
  );
  const refused = new Map(changed.schemes.map(({ scheme, reason }) => [scheme, reason]));
  assert.match(refused.get('handle-snapshot') ?? '', /update in place/);
  assert.equal(refused.get('log'), null);
  const took = new Map(changed.schemes.map(({ scheme, measured }) => [scheme, measured]));
  for (const [scheme, reason] of refused)
    if (reason !== null) assert.equal(took.get(scheme), null, `${scheme} was not run`);
  const down = (scheme: string) => took.get(scheme)?.bytesDown ?? 0;
  // A handle and a signature of each object; three objects; six bytes of each.
  assert.ok(down('signature') > 300 * 32 && down('signature') < 300 * 32 + 1000, `${down('signature')}`);
  assert.ok(down('log') > 2 * 32 && down('log') < 500, `${down('log')}`);
  assert.ok(down('short-ids') > 300 * 6 && down('short-ids') < 300 * 6 + 700, `${down('short-ids')}`);
  assert.ok((took.get('hierarchical-signatures-binary')?.rounds ?? 0) > 5);
  const after = await (await still.folder.store.replica(one.folder.identity.serverId)).state();
  assert.deepEqual(after, before, 'nothing was collected');
});

test('a source is selected by address, name or server id; an unknown one is refused', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha')]);
  {
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
    topic.broker.start();
    await topic.fresh();
  }
  // A source that is no longer named is remembered.
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), []);
  for (const source of [one.url, one.url.slice(5, -1), 'site', one.folder.identity.serverId]) {
    const report = await topic.broker.explain(source, { measure: false, all: false });
    assert.equal(report.source.serverId, one.folder.identity.serverId, source);
  }
  for (const source of ['ws://127.0.0.1:9/', 'no address at all', ''])
    await assert.rejects(
      async () => topic.broker.explain(source, { measure: false, all: false }),
      (error) => isGarnerError(error, { code: 'BROKER_NO_SOURCE' }),
      source,
    );
});

test('with a filter the report covers the matching objects', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'red'), one.put('b', 'green'), one.put('c', 'red')]);
  const filter = { query: 'red' };
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [{ url: one.url, filter }]);
  topic.broker.start();
  await topic.fresh();
  const report = await topic.broker.explain(one.url, { measure: false, all: false });
  assert.deepEqual([report.count, report.held, report.same, report.filter], [2, 2, true, filter]);
});
