import { oidFromBytes } from '../../soif/index.ts';
import type { Database, Write } from '../database/index.ts';
import { decodeFilteredLog, encodeFiltered, type FilteredState } from './filtered-rows.ts';
import { keys, setLsnOfKey } from './object-keys.ts';

/** Max objects remembered that left a set; clients away for longer compare. */
const maxGone = 65_536;

/** Rows deleted in one batch. */
const deleteStep = 1000;

/** When too many objects have left a set, forget the older half of them, so that its log stays bounded. */
export async function trimDeparted(database: Database, set: number, state: FilteredState): Promise<void> {
  if (state.gone <= maxGone) return;
  const writes: Write[] = [];
  let [left, horizon] = [Math.floor(maxGone / 2), state.horizon];
  for await (const [key, value] of database.entries(keys.filteredLogAfter(set, 0))) {
    if (left <= 0) break;
    const { kind, oid } = decodeFilteredLog(value);
    if (kind !== 'delete') continue;
    left--;
    horizon = setLsnOfKey(key);
    writes.push({ type: 'del', key }, { type: 'del', key: keys.filteredGone(set, oidFromBytes(oid)) });
  }
  const gone = state.gone - writes.length / 2;
  await database.batch([
    ...writes,
    { type: 'put', key: keys.filtered(set), value: encodeFiltered({ ...state, horizon, gone }) },
  ]);
}

/** Delete every row of a set, its state last: a set whose deletion was interrupted is still known. */
export async function deleteSetRows(database: Database, set: number): Promise<void> {
  let writes: Write[] = [];
  for (const range of [
    keys.members(set),
    keys.filteredLogAfter(set, 0),
    keys.filteredGones(set),
    keys.dues(set),
  ])
    for await (const key of database.keys(range)) {
      writes.push({ type: 'del', key });
      if (writes.length < deleteStep) continue;
      await database.batch(writes);
      writes = [];
    }
  await database.batch([...writes, { type: 'del', key: keys.filtered(set) }]);
}
