import assert from 'node:assert/strict';
import type { Broker } from '../../broker/index.ts';
import type { Database } from '../../store/index.ts';
import { assertEqualsScratch } from '../index-from-scratch.ts';
import { type EngineName, openTopicBroker } from '../topic-broker.ts';

interface StateRecord {
  readonly garbage: readonly number[];
  readonly clearing: boolean;
  readonly segments: readonly { readonly id: number }[];
}

/** The record of an index. */
export async function stateOf(database: Database): Promise<StateRecord> {
  const value = await database.get(Buffer.from('i'));
  const none = { garbage: [], clearing: false, segments: [] };
  return value === undefined ? none : (JSON.parse(Buffer.from(value).toString()) as StateRecord);
}

/** No key remains of a segment that is not in the index's record. */
async function assertTidy(database: Database): Promise<void> {
  const { segments, garbage } = await stateOf(database);
  assert.deepEqual(garbage, [], 'nothing waits to be deleted');
  const found = new Set<number>();
  for await (const key of database.keys({ gte: Buffer.from('s'), lt: Buffer.from('t') }))
    found.add(Buffer.from(key).readUInt32BE(1));
  const counted = segments.map(({ id }) => id).sort((a, b) => a - b);
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    counted,
    'segments with keys',
  );
}

/**
 * The index of a Broker's data folder continues to follow its store without a rebuild, and equals one made from
 * scratch; `more` runs with the opened Broker. Resolves to the number of objects.
 */
export async function judgeIndex(
  path: string,
  engine: EngineName,
  more: (broker: Broker) => Promise<void> = async () => undefined,
): Promise<number> {
  await using opened = await openTopicBroker(path, engine);
  const { broker, store, database } = opened;
  await broker.indexer.reached(store.lsn);
  await opened.engine.inner.settled();
  assert.deepEqual(opened.reasons, [], 'the index outlives the kill');
  await assertEqualsScratch(opened.engine, store, engine);
  await assertTidy(database);
  const check = await broker.check({ repair: false });
  assert.ok(check.ok, JSON.stringify(check));
  for (const { oid } of await broker.orders.blocks.list(1000))
    assert.equal(await store.get(oid), undefined, 'objects deleted by an operator are absent');
  await more(broker);
  return store.count;
}
