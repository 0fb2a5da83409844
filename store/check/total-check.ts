import { type Epoch, elementId, type PathState, SetFingerprint, sameBytes } from '../../awareness/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import {
  decodeMeta,
  decodePartition,
  decodePath,
  isSigned,
  keys,
  oidOfKey,
  type PartitionState,
  type StoreState,
} from '../rows/index.ts';
import { readable } from './object-check.ts';

/** The correct content of a store's own row, computed from the rows of its objects. */
export async function ownTotals(reader: DatabaseReader, before: StoreState): Promise<StoreState> {
  const fingerprint = new SetFingerprint();
  let bodyBytes = 0;
  for await (const [key, value] of reader.entries(keys.metas())) {
    const meta = readable(() => decodeMeta(value));
    if (meta === undefined) continue;
    fingerprint.add(elementId(before.epoch, oidOfKey(key), meta.digest));
    bodyBytes += meta.bodyBytes;
  }
  let withdrawals = 0;
  for await (const [, value] of reader.entries(keys.tombstonesOf())) if (isSigned(value)) withdrawals++;
  return { ...before, bodyBytes, fingerprint, withdrawals };
}

/** The correct content of a partition's row, computed from the rows of its members. */
export async function partitionTotals(reader: DatabaseReader, partition: number): Promise<PartitionState> {
  const row = await reader.get(keys.partition(partition));
  const marker = row === undefined ? undefined : readable(() => decodePartition(row))?.marker;
  const fingerprint = new SetFingerprint();
  if (marker !== undefined)
    for await (const [key, digest] of reader.entries(keys.members(partition)))
      fingerprint.add(elementId(marker.epoch as Epoch, oidOfKey(key), digest));
  return { marker, fingerprint };
}

/** The number of a partition's refused objects, computed from the rows of their paths. */
export async function pathTotals(
  reader: DatabaseReader,
  partition: number,
  before: PathState,
): Promise<PathState> {
  let [own, far] = [0, 0];
  for await (const [, value] of reader.entries(keys.paths(partition))) {
    const standing = readable(() => decodePath(value))?.verdict;
    if (standing === 'own') own++;
    else if (standing === 'far') far++;
  }
  return { ...before, own, far };
}

/** The fault of a set's totals, or undefined. */
export function totalFault(name: string, stored: SetFingerprint, found: SetFingerprint): string | undefined {
  if (stored.count !== found.count) return `${name} counts ${stored.count} objects and has ${found.count}`;
  return sameBytes(stored.digest(), found.digest())
    ? undefined
    : `the fingerprint of ${name} does not match its objects`;
}
