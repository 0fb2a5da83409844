import type { Oid } from '../../soif/index.ts';
import type { DataFolder } from '../../store/index.ts';

/** Delete objects and leave tombstones. The sources' copies still list them. */
export async function deleteObjects({ store }: DataFolder, oids: readonly Oid[]): Promise<void> {
  await store.apply(
    oids.map((oid) => ({ kind: 'delete', oid })),
    { sync: true },
  );
}

/** The source that an object counts for: the first that offered it. */
export function sourceOf(folder: DataFolder, partitions: readonly number[]): string {
  const first = partitions[0];
  for (const [name, number] of folder.store.partitions) if (number === first) return name;
  return folder.identity.serverId;
}
