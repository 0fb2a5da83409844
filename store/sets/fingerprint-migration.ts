import { type Epoch, elementId, SetFingerprint } from '../../awareness/index.ts';
import type { Database, Write } from '../database/index.ts';
import { decodePartition, encodePartition, encodeState, keys, type StoreState } from '../rows/index.ts';
import { ownRows, partitionRows, type SetRows } from './set-rows.ts';

async function fingerprintOf(database: Database, rows: SetRows, epoch: Epoch): Promise<SetFingerprint> {
  const fingerprint = new SetFingerprint();
  for await (const batch of database.entryBatches(rows.all))
    for (const row of batch) {
      const { oid, digest } = rows.entry(row);
      fingerprint.add(elementId(epoch, oid, digest));
    }
  return fingerprint;
}

/** Update a store of the earlier format: elements have shorter names, so every fingerprint is computed again. */
export async function renewFingerprints(database: Database, state: StoreState): Promise<StoreState> {
  const renewed = { ...state, fingerprint: await fingerprintOf(database, ownRows, state.epoch) };
  const writes: Write[] = [{ type: 'put', key: keys.state(), value: encodeState(renewed) }];
  for await (const [key, value] of database.entries(keys.partitions())) {
    const { marker } = decodePartition(value);
    const number = Buffer.from(key.buffer, key.byteOffset, key.byteLength).readUInt32BE(1);
    if (marker === undefined) continue;
    const fingerprint = await fingerprintOf(database, partitionRows(number), marker.epoch);
    writes.push({ type: 'put', key, value: encodePartition({ marker, fingerprint }) });
  }
  await database.batch(writes, { sync: true });
  return renewed;
}
