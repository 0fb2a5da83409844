import {
  type Marker,
  type ObjectPath,
  oidOfBareHandle,
  type PathBook,
  type PathState,
  type SentPath,
  sameBytes,
} from '../../awareness/index.ts';
import type { Oid, ServerId } from '../../soif/index.ts';
import { type ObjectTransaction, type StepWork, withSource } from '../changes/index.ts';
import type { Database, DatabaseReader } from '../database/index.ts';
import { decodeMeta, decodePath, type KnownPath, keys, noPaths, oidOfKey } from '../rows/index.ts';
import { dropClaim } from './partition.ts';

// A client of a store that itself collects must know the servers through which an object has come there: an object
// that came by the client itself must not stay alive by itself once its provider has deleted it. A refused object
// stays a member of its partition, so that both sides still compare the same set, but it does not count.

/** Paths of an earlier pass that are checked in one step. */
const sweepStep = 512;

function isSame(a: KnownPath | undefined, b: KnownPath | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.verdict === b.verdict && a.path.join() === b.path.join();
}

/** Learn one object's path; resolves to whether the object is wanted now and its content is not held. */
async function learnPath(
  tx: ObjectTransaction,
  partition: number,
  oid: Oid,
  path: KnownPath | undefined,
): Promise<boolean> {
  const before = await tx.path(partition, oid);
  await tx.setPath(partition, oid, path);
  if (isSame(before, path)) return false;
  if ((path?.verdict ?? 'taken') !== 'taken') {
    await dropClaim(tx, partition, oid);
    return false;
  }
  const [held, digest] = [await tx.meta(oid), await tx.member(partition, oid)];
  if (held?.partitions.includes(partition)) {
    // Clients of this store must learn the new path.
    if (held.partitions[0] === partition) await tx.touch(oid);
    return false;
  }
  if (digest === undefined) return false;
  if (held !== undefined && sameBytes(held.digest, digest)) {
    await tx.setPartitions(oid, withSource(held.partitions, partition));
    return false;
  }
  // A missing object is learned with its content.
  await tx.setMember(partition, oid, undefined);
  return true;
}

/** Write a source's report of its objects' paths. Resolves to how many objects must be learned again. */
async function learnPaths(
  tx: ObjectTransaction,
  reader: DatabaseReader,
  partition: number,
  sent: readonly SentPath[],
): Promise<number> {
  const oids = await membersOf(reader, partition, sent);
  const known = oids.filter((oid) => oid !== undefined);
  await tx.prepare(known, partition);
  const { pass } = tx.pathState(partition) ?? noPaths;
  let lacking = 0;
  for (const [i, { path, verdict }] of sent.entries()) {
    const oid = oids[i];
    if (oid === undefined) continue;
    const learned = path === 'usual' ? undefined : { path, verdict, pass };
    if (await learnPath(tx, partition, oid, learned)) lacking++;
  }
  return lacking;
}

/** Whole OIDs of a partition's members; the source names them by their handles. */
async function membersOf(
  reader: DatabaseReader,
  partition: number,
  sent: readonly SentPath[],
): Promise<readonly (Oid | undefined)[]> {
  const ranges = sent.map(({ handle }) => {
    const first = keys.member(partition, oidOfBareHandle(handle));
    return { gte: first, lt: Buffer.concat([first.subarray(0, first.length - 16), Buffer.alloc(17, 0xff)]) };
  });
  const found = await reader.entriesIn(ranges);
  return found.map(([row]) => (row === undefined ? undefined : oidOfKey(row[0])));
}

/** The next OIDs after `after` whose path was last sent before this pass, and where to go on; none at the end. */
async function outdatedPaths(
  reader: DatabaseReader,
  partition: number,
  pass: number,
  after: Oid | undefined,
): Promise<{ readonly oids: readonly Oid[]; readonly last: Oid | undefined }> {
  const oids: Oid[] = [];
  let last: Oid | undefined;
  for await (const [key, value] of reader.entries({ ...keys.paths(partition, after), limit: sweepStep })) {
    last = oidOfKey(key);
    if (decodePath(value).pass !== pass) oids.push(last);
  }
  return { oids, last };
}

/** Forget the paths of these objects: the usual one holds. */
async function forgetPaths(tx: ObjectTransaction, partition: number, oids: readonly Oid[]): Promise<number> {
  await tx.prepare(oids, partition);
  let lacking = 0;
  for (const oid of oids) if (await learnPath(tx, partition, oid, undefined)) lacking++;
  return lacking;
}

function markPaths(tx: ObjectTransaction, partition: number, marker: Marker): void {
  tx.setPathState(partition, { ...(tx.pathState(partition) ?? noPaths), marker });
}

function beginSending(tx: ObjectTransaction, partition: number): void {
  const before = tx.pathState(partition) ?? noPaths;
  tx.setPathState(partition, { ...before, marker: undefined, pass: before.pass + 1 });
}

interface PathWriter {
  readonly state: () => PathState | undefined;
  readonly step: (work: StepWork) => Promise<unknown>;
}

/** A store's record of the servers through which a partition's objects have come. */
export function partitionPaths(database: Database, partition: number, writer: PathWriter): PathBook {
  const step = async (work: (tx: ObjectTransaction) => Promise<number>): Promise<number> => {
    let lacking = 0;
    await writer.step(async (tx) => {
      lacking = await work(tx);
      return { changed: 0, refreshed: 0, deleted: 0 };
    });
    return lacking;
  };
  return {
    state: async () => writer.state() ?? noPaths,
    begin: async () => {
      await step(async (tx) => {
        beginSending(tx, partition);
        return 0;
      });
    },
    learn: (sent) => step((tx) => learnPaths(tx, database, partition, sent)),
    finish: async (marker) => {
      let lacking = 0;
      const { marker: known, pass } = writer.state() ?? noPaths;
      for (let after: Oid | undefined; known === undefined; ) {
        const { oids, last } = await outdatedPaths(database, partition, pass, after);
        if (last === undefined) break;
        lacking += await step((tx) => forgetPaths(tx, partition, oids));
        after = last;
      }
      await step(async (tx) => {
        markPaths(tx, partition, marker);
        return 0;
      });
      return lacking;
    },
  };
}

/** The server in a partition's name; the text behind a `#` names a part of the objects that it offers. */
export function serverOf(partition: string): ServerId {
  return partition.replace(/#.*$/, '') as ServerId;
}

/** The paths of objects as this store sends them; undefined for an absent object. */
export async function pathsAt(
  reader: DatabaseReader,
  oids: readonly Oid[],
  names: ReadonlyMap<number, string>,
): Promise<readonly (ObjectPath | undefined)[]> {
  const metas = (await reader.getMany(oids.map(keys.meta))).map((row) => row && decodeMeta(row));
  const rows = await reader.getMany(oids.map((oid, i) => keys.path(metas[i]?.partitions[0] ?? 0, oid)));
  return oids.map((oid, i) => {
    const [meta, row] = [metas[i], rows[i]];
    if (meta === undefined) return undefined;
    const name = names.get(meta.partitions[0] ?? 0);
    if (name === undefined) return { oid, path: [], isUsual: true };
    const source = serverOf(name);
    const before = row === undefined ? [meta.publisher] : decodePath(row).path;
    const path = source === meta.publisher ? [source] : [source, ...before];
    return { oid, path, isUsual: path.length === 1 };
  });
}
