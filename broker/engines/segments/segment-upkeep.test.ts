import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocColumns } from '../documents/doc-columns.ts';
import { emptyMoment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { SegmentUpkeep } from './segment-upkeep.ts';

// Nothing is read or written where there is neither a segment nor garbage.
const database = {} as PostingDatabase;
const moment = emptyMoment({ layout: '', fallback: 'en' });
const idle = { update: async () => undefined, settled: async () => undefined };

/** How often work is checked for when it is requested again right after the last check. */
async function looks(
  open: (look: () => void) => { wake(): void; settled(): Promise<void> },
): Promise<number> {
  let looked = 0;
  const upkeep = open(() => {
    looked++;
    // The first check of a pass is for garbage, the second and last for segments.
    if (looked === 2) queueMicrotask(() => upkeep.wake());
  });
  upkeep.wake();
  await upkeep.settled();
  return looked;
}

test('a request for upkeep just when it ends is not lost', async () => {
  const view = { moment, columns: DocColumns.empty };
  const count = await looks(
    (look) =>
      new SegmentUpkeep({
        ...{ ...idle, database, content: {} as never },
        view: () => {
          look();
          return view;
        },
      }),
  );
  assert.equal(count, 4);
});
