import { SetFingerprint } from '../../awareness/index.ts';
import type { Random } from '../../kernel/index.ts';
import type { Database, Write } from '../database/index.ts';
import {
  decodePartition,
  decodePathState,
  decodeState,
  encodePartition,
  encodePathState,
  encodeState,
  keys,
  newEpoch,
  numberOfKey,
  withdrawalsRow,
} from '../rows/index.ts';

const keysAtOnce = 1000;

/**
 * Prepare a store whose damaged files have lost some rows: it begins a new life, because clients of the former one may
 * know more than it does; every source is compared as a whole; what can be computed is removed. `check` does the rest.
 */
export async function prepareSalvaged(database: Database, random: Random): Promise<void> {
  for (const range of keys.computed()) {
    let found: Write[] = [];
    for await (const key of database.keys(range)) {
      found.push({ type: 'del', key });
      if (found.length < keysAtOnce) continue;
      await database.batch(found);
      found = [];
    }
    await database.batch(found);
  }
  const writes: Write[] = [];
  for await (const [key, value] of database.entries(keys.partitions())) {
    const { marker } = decodePartition(value);
    const doubted = marker && { ...marker, lsn: 0 };
    const state = { marker: doubted, fingerprint: new SetFingerprint() };
    writes.push({ type: 'put', key, value: encodePartition(state) });
  }
  for await (const [key, value] of database.entries(keys.pathStates()))
    writes.push({
      type: 'put',
      key,
      value: encodePathState({ ...decodePathState(value), marker: undefined }),
    });
  const row = await database.get(keys.state());
  const before = row === undefined ? undefined : decodeState(row, database.path).state;
  let lsn = before?.lsn ?? 0;
  for (const range of [keys.logAfter(0), keys.tombstones()])
    for await (const key of database.keys({ ...range, reverse: true, limit: 1 }))
      lsn = Math.max(lsn, numberOfKey(key));
  const state = {
    ...{ epoch: newEpoch(random.bytes(12)), lsn, horizon: before?.horizon ?? lsn },
    ...{ bodyBytes: 0, fingerprint: new SetFingerprint(), withdrawals: 0 },
  };
  writes.push({ type: 'put', key: keys.state(), value: encodeState(state) }, withdrawalsRow(state));
  await database.batch(writes, { sync: true });
}
