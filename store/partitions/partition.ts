import {
  type Change,
  elementId,
  type Marker,
  type Noted,
  oidOfBareHandle,
  type PublishedObject,
  SetFingerprint,
  sameBytes,
} from '../../awareness/index.ts';
import { Attributes, attributeNumber, decodeObject, type Oid } from '../../soif/index.ts';
import {
  isOwn,
  type ObjectTransaction,
  type StepResult,
  sourcesAmong,
  withSource,
} from '../changes/index.ts';
import type { Database } from '../database/index.ts';
import { keys, oidOfKey } from '../rows/index.ts';
import { ownSet } from '../sets/index.ts';

// A partition is a store's copy of one source. An object that several sources offer is stored once; each
// partition remembers the digest under which its source offers it. An object may also be published in this store itself;
// of all versions the newest is stored.

/** Whether an object of a source is taken by the path that the source has reported. */
async function isTaken(tx: ObjectTransaction, partition: number, oid: Oid): Promise<boolean> {
  return ((await tx.path(partition, oid))?.verdict ?? 'taken') === 'taken';
}

async function put(
  tx: ObjectTransaction,
  partition: number,
  change: Change & { kind: 'put' },
  defaultTtlSeconds: number,
): Promise<void> {
  const { object } = change;
  // An object that came by this store itself is present by another path, or nowhere.
  if (!(await isTaken(tx, partition, object.oid))) return tx.setMember(partition, object.oid, object.digest);
  // A source that has slept through a withdrawal still lists the object: its copy does, and nothing more.
  const withdrawnAt = await tx.withdrawnAt(object.oid);
  if (withdrawnAt > 0 && object.updatedAt <= withdrawnAt) {
    await dropClaim(tx, partition, object.oid);
    return tx.setMember(partition, object.oid, object.digest);
  }
  const held = await tx.meta(object.oid);
  const partitions = held === undefined ? [partition] : withSource(held.partitions, partition);
  // With several sources the latest summary is stored.
  const newer = held === undefined || partitions.length === 1 || object.updatedAt >= held.updatedAt;
  if (newer) {
    const summary = decodeObject(object.body);
    const ttlSeconds = attributeNumber(summary, Attributes.timeToLive) ?? defaultTtlSeconds;
    await tx.put({ object, url: summary.url, ttlSeconds }, partitions);
  } else {
    await tx.setPartitions(object.oid, partitions);
  }
  await tx.setMember(partition, object.oid, object.digest);
}

async function refresh(
  tx: ObjectTransaction,
  partition: number,
  change: Change & { kind: 'refresh' },
): Promise<void> {
  const { oid, updatedAt } = change.refresh;
  const [held, digest] = [await tx.meta(oid), await tx.member(partition, oid)];
  const withdrawnAt = await tx.withdrawnAt(oid);
  // Published again with the content that was withdrawn: the comparison finds it missing, and it is learned whole.
  if (withdrawnAt > 0 && updatedAt > withdrawnAt && held?.partitions.includes(partition) !== true)
    if (digest !== undefined && (await isTaken(tx, partition, oid)))
      return tx.setMember(partition, oid, undefined);
  if (held === undefined || digest === undefined || updatedAt <= held.updatedAt) return;
  if (sameBytes(held.digest, digest)) await tx.refresh(change.refresh);
  else if (await isTaken(tx, partition, oid)) {
    // Of two contents this one is the newer now: it is learned whole too.
    await tx.setMember(partition, oid, undefined);
    await dropClaim(tx, partition, oid);
  }
}

async function leave(tx: ObjectTransaction, partition: number, oid: Oid): Promise<void> {
  await tx.setPath(partition, oid, undefined);
  if ((await tx.member(partition, oid)) === undefined) return;
  await tx.setMember(partition, oid, undefined);
  await dropClaim(tx, partition, oid);
}

/**
 * Drop a partition's claim to an object. It is deleted when no other one claims the stored body, unless it was
 * published here itself.
 */
export async function dropClaim(tx: ObjectTransaction, partition: number, oid: Oid): Promise<void> {
  const held = await tx.meta(oid);
  if (held?.partitions.includes(partition) !== true) return;
  const others = held.partitions.filter((other) => other !== partition);
  // The version that was published here may be replaced, and only its publisher can send it again.
  if (others.includes(ownSet)) return tx.setPartitions(oid, others);
  for (const other of others) {
    const digest = await tx.member(other, oid);
    if (digest !== undefined && sameBytes(digest, held.digest)) return tx.setPartitions(oid, others);
  }
  // The others offer it with other content: their next round finds it missing and learns it.
  for (const other of others) await tx.setMember(other, oid, undefined);
  await tx.delete(oid);
}

export function subjectOf(change: Change | Noted): Oid {
  if (change.kind === 'put') return change.object.oid;
  if (change.kind === 'refresh') return change.refresh.oid;
  return change.kind === 'note' ? (change.oid ?? oidOfBareHandle(change.handle)) : change.oid;
}

/** Write a source's change into its partition; the time-to-live is for objects that name none. */
export async function learn(
  tx: ObjectTransaction,
  partition: number,
  change: Change | Noted,
  defaultTtlSeconds: number,
): Promise<void> {
  if (change.kind === 'note') await tx.setMember(partition, subjectOf(change), change.signature);
  else if (change.kind === 'put') await put(tx, partition, change, defaultTtlSeconds);
  else if (change.kind === 'refresh') await refresh(tx, partition, change);
  else {
    // It leaves every partition at once. The copies of other sources list it until these have dropped it too.
    if (change.withdrawal !== undefined) await tx.withdraw(change.oid, change.withdrawal);
    await leave(tx, partition, change.oid);
  }
}

/** Forget an object everywhere; a source that revives it sends its path again. */
export async function expel(tx: ObjectTransaction, oid: Oid): Promise<void> {
  const held = await tx.meta(oid);
  for (const partition of sourcesAmong(held?.partitions ?? [])) {
    await tx.setPath(partition, oid, undefined);
    await tx.setMember(partition, oid, undefined);
  }
  await tx.delete(oid);
}

/** Remove an object from every partition, and from the store unless it was published there; its paths stay known. */
export async function unlearn(tx: ObjectTransaction, partitions: Iterable<number>, oid: Oid): Promise<void> {
  for (const partition of partitions) await tx.setMember(partition, oid, undefined);
  const held = await tx.meta(oid);
  if (held !== undefined && isOwn(held.partitions)) await tx.setPartitions(oid, [ownSet]);
  else await tx.delete(oid);
}

/**
 * Delete objects that are held with these signatures, published here or not, and remove them from these partitions, which
 * must be all. Another version stays.
 */
export async function dropVersions(
  tx: ObjectTransaction,
  partitions: Iterable<number>,
  versions: readonly Pick<PublishedObject, 'oid' | 'signature'>[],
): Promise<Omit<StepResult, 'lsn'>> {
  const all = [...partitions];
  await tx.prepare(versions.map(({ oid }) => oid));
  let deleted = 0;
  for (const { oid, signature } of versions) {
    const held = await tx.meta(oid);
    if (held === undefined || !sameBytes(held.signature, signature)) continue;
    for (const partition of all) await tx.setMember(partition, oid, undefined);
    await tx.delete(oid);
    deleted++;
  }
  return { changed: 0, refreshed: 0, deleted };
}

/** Move a partition's marker; under a new epoch its fingerprint is computed again from its objects. */
export async function mark(
  tx: ObjectTransaction,
  database: Database,
  partition: number,
  marker: Marker,
): Promise<void> {
  const { marker: old, fingerprint } = await tx.partition(partition);
  if (old?.epoch === marker.epoch) return tx.setPartition(partition, { marker, fingerprint });
  const rekeyed = new SetFingerprint();
  for await (const [key, digest] of database.entries(keys.members(partition)))
    rekeyed.add(elementId(marker.epoch, oidOfKey(key), digest));
  tx.renameElements(partition);
  tx.setPartition(partition, { marker, fingerprint: rekeyed });
}
