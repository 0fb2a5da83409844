import type { Oid } from '../../soif/index.ts';
import type { StepWork } from '../changes/index.ts';
import type { Database, Write } from '../database/index.ts';
import { keys, oidOfKey } from '../rows/index.ts';
import { learn } from './partition.ts';

/** Objects and paths that are dropped in one step. */
const dropStep = 512;

/** The deletion of a partition's own rows beside its objects. */
export function ownRows(name: string, partition: number): readonly Write[] {
  return [keys.partition(partition), keys.pathState(partition), keys.partitionName(name)].map((key) => ({
    type: 'del',
    key,
  }));
}

/** Remove a partition's objects, and delete those that no other partition has. */
export async function emptyPartition(
  database: Database,
  partition: number,
  step: (work: StepWork) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const oids: Oid[] = [];
    for await (const key of database.keys({ ...keys.members(partition), limit: dropStep }))
      oids.push(oidOfKey(key));
    if (oids.length === 0) break;
    await step(async (tx) => {
      await tx.prepare(oids, partition);
      for (const [i, oid] of oids.entries()) await learn(tx, partition, { kind: 'delete', lsn: i, oid }, 0);
      return { changed: 0, refreshed: 0, deleted: oids.length };
    });
  }
  // The paths of absent objects.
  for (;;) {
    const left: Uint8Array[] = [];
    for await (const key of database.keys({ ...keys.paths(partition), limit: dropStep })) left.push(key);
    if (left.length === 0) break;
    await database.batch(left.map((key) => ({ type: 'del', key })));
  }
}
