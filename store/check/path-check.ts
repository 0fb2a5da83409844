import type { Oid } from '../../soif/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { decodeMeta, decodePath, keys } from '../rows/index.ts';
import { readable } from './object-check.ts';

/** A fault of the path by which an object came into a partition. */
export interface WrongPath {
  readonly oid: Oid;
  readonly problem: string;
}

/** The objects whose path cannot be read, or is refused although the object counts on it. */
export async function wrongPaths(
  reader: Pick<DatabaseReader, 'getMany'>,
  partition: number,
  oids: readonly Oid[],
): Promise<readonly WrongPath[]> {
  const [paths, metas] = await Promise.all([
    reader.getMany(oids.map((oid) => keys.path(partition, oid))),
    reader.getMany(oids.map(keys.meta)),
  ]);
  return oids.flatMap((oid, i): readonly WrongPath[] => {
    const [row, meta] = [paths[i], metas[i]];
    if (row === undefined) return [];
    const path = readable(() => decodePath(row));
    if (path === undefined) return [{ oid, problem: 'cannot be read' }];
    const counts = meta && readable(() => decodeMeta(meta))?.partitions.includes(partition);
    return counts === true && path.verdict !== 'taken'
      ? [{ oid, problem: 'is not taken, and the object counts on it' }]
      : [];
  });
}
