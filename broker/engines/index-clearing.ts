import { allButState } from './index-keys.ts';
import { type IndexState, stateWrite } from './index-state.ts';
import type { PostingDatabase } from './posting-database.ts';
import { deleteRange } from './write-batches.ts';

/** Delete everything, then write `empty` as the state; what a crash leaves is finished at the next open. */
export async function clearAll(database: PostingDatabase, empty: IndexState): Promise<void> {
  const never = new AbortController().signal;
  for (const range of allButState) await deleteRange(database, range, never);
  await database.batch([stateWrite(empty)]);
}
