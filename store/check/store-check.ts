import type { Lsn, PathState } from '../../awareness/index.ts';
import { decodeObject, type Oid } from '../../soif/index.ts';
import type { StepWork } from '../changes/index.ts';
import type { Database, DatabaseSnapshot, Write } from '../database/index.ts';
import { dropClaim } from '../partitions/index.ts';
import {
  decodePartition,
  decodePath,
  decodePathState,
  encodePartition,
  encodePathState,
  encodeState,
  keys,
  noPaths,
  oidOfKey,
  type PartitionStates,
  type StoreState,
  withdrawalsRow,
} from '../rows/index.ts';
import { ownSet, type SetSummaries } from '../sets/index.ts';
import { type CheckFindings, type Fault, Findings } from './findings.ts';
import { checkObjects, readable } from './object-check.ts';
import { orphansAmong, type RowKind, rowKinds } from './orphan-check.ts';
import { wrongPaths } from './path-check.ts';
import { strayRows } from './stray-check.ts';
import { ownTotals, partitionTotals, pathTotals, totalFault } from './total-check.ts';

/** A store at one moment. */
interface StoreMoment {
  readonly state: StoreState;
  readonly partitions: ReadonlyMap<string, number>;
  readonly reader: DatabaseSnapshot;
}

/** The parts of a store that its check uses. */
export interface CheckedStore {
  readonly database: Database;
  /** The present ones; a check uses those of its moment. */
  readonly partitions: ReadonlyMap<string, number>;
  readonly states: PartitionStates;
  readonly summaries: SetSummaries;
  readonly moment: () => Promise<StoreMoment>;
  readonly state: () => StoreState;
  readonly become: (state: StoreState) => void;
  readonly exclusively: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly step: (work: StepWork) => Promise<{ readonly lsn: Lsn }>;
}

export interface CheckOptions {
  readonly repair?: boolean;
  /** Selects the objects whose content is absent on purpose, though a source's copy lists them. */
  readonly keptOut?: (oids: readonly Oid[]) => Promise<ReadonlySet<Oid>>;
  readonly signal?: AbortSignal;
}

/** Rows checked together, and faults repaired together: they bound the memory. */
const together = 256;

/** How often the remaining faults are repaired again. */
const maxRepairs = 4;

const nothing = { changed: 0, refreshed: 0, deleted: 0 };

/**
 * Check every row of a store at one moment: each object is whole and in its place, no row is without an owner,
 * counts and fingerprints match the rows. The store goes on meanwhile. With `repair` each fault is checked again in
 * the present store before it is repaired, and the whole check is repeated while faults are left, at most
 * `maxRepairs` times. An object that cannot be restored from the rows is deleted, with a tombstone, and removed
 * from every copy, so that its source sends it again. Rejects with the signal's reason.
 */
export async function checkStore(store: CheckedStore, options: CheckOptions): Promise<CheckFindings> {
  const first = await checkOnce(store, options);
  let { faults } = first.report();
  // Without a bad row the rows behind it may prove bad.
  for (let again = 0; options.repair === true && faults > 0 && again < maxRepairs; again++)
    ({ faults } = (await checkOnce(store, options)).report());
  return first.report(faults);
}

async function checkOnce(
  store: CheckedStore,
  { repair = false, keptOut, signal }: CheckOptions,
): Promise<Findings> {
  const findings = new Findings();
  const { reader, state, partitions } = await store.moment();
  await using _snapshot = reader;
  const note = async (faults: readonly Fault[], mend: () => Promise<void>) => {
    signal?.throwIfAborted();
    for (const fault of faults) findings.add(fault);
    if (repair && faults.length > 0) await mend();
  };
  for await (const oids of oidsIn(reader, keys.metas())) {
    findings.objects += oids.length;
    const faults = (await checkObjects(reader, oids)).flatMap((object) => object.faults);
    await note(faults, () => mendObjects(store, [...new Set(faults.flatMap(({ oid }) => oid ?? []))]));
  }
  for (const kind of rowKinds) {
    for await (const rows of batched(reader.entries(kind.range))) {
      findings.rows += rows.length;
      const orphans = await orphansAmong(kind, reader, rows);
      const faults = orphans.map(([key]): Fault => {
        const what = `${kind.name} belongs to nothing: ${Buffer.from(key).toString('hex').slice(0, 80)}`;
        return { kind: 'orphan', key, what };
      });
      await note(faults, () => removeOrphans(store, kind, orphans));
    }
  }
  for await (const { name, set, range } of strayRows(reader, new Set(partitions.values())))
    await note([{ kind: 'orphan', what: `${name} belong to nothing` }], () => removeSet(store, set, range));
  for (const [name, partition] of partitions) {
    for await (const oids of oidsIn(reader, keys.members(partition))) {
      findings.rows += oids.length;
      const missing = await lostMembers(reader, partition, oids);
      const excused = missing.length > 0 && keptOut ? await keptOut(missing) : new Set<Oid>();
      const lost = missing.filter((oid) => !excused.has(oid));
      const faults = lost.map((oid): Fault => {
        return { kind: 'lost', oid, what: `object ${oid}, which ${name} offers, has lost its content` };
      });
      await note(faults, () => forgetMembers(store, partition, lost));
    }
    for await (const oids of oidsIn(reader, keys.paths(partition))) {
      findings.rows += oids.length;
      const wrong = await wrongPaths(reader, partition, oids);
      const faults = wrong.map(({ oid, problem }): Fault => {
        return { kind: 'path', oid, what: `the path of object ${oid} to ${name} ${problem}` };
      });
      await note(faults, () => forgetPaths(store, partition, oids));
    }
  }
  const faults = await totalFaults(reader, state, partitions);
  for (const fault of faults) findings.add(fault);
  if (repair && findings.report().faults > 0) await recount(store);
  return findings;
}

async function* batched<Item>(items: AsyncIterable<Item>): AsyncIterable<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < together) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* oidsIn(reader: DatabaseSnapshot, range: RowKind['range']): AsyncIterable<readonly Oid[]> {
  for await (const found of batched(reader.keys(range))) yield found.map(oidOfKey);
}

type Rows = readonly (readonly [Uint8Array, Uint8Array])[];
/** Members of a copy without an object: neither refused for their path nor deleted here. */
async function lostMembers(
  reader: Pick<Database, 'getMany'>,
  partition: number,
  oids: readonly Oid[],
): Promise<readonly Oid[]> {
  const [metas, paths, tombstones] = await Promise.all([
    reader.getMany(oids.map(keys.meta)),
    reader.getMany(oids.map((oid) => keys.path(partition, oid))),
    reader.getMany(oids.map(keys.tombstoneOf)),
  ]);
  return oids.filter((_, i) => {
    const path = paths[i];
    const verdict = path && readable(() => decodePath(path))?.verdict;
    const isRefused = verdict === 'own' || verdict === 'far';
    return metas[i] === undefined && tombstones[i] === undefined && !isRefused;
  });
}

/** Put objects back in their places; those without content are removed from every copy, and learned again. */
async function mendObjects(store: CheckedStore, oids: readonly Oid[]): Promise<void> {
  const { database, partitions } = store;
  await store.step(async (tx) => {
    for (const { oid, meta, faults } of await checkObjects(database, oids)) {
      if (faults.some(({ kind }) => kind === 'object')) {
        for (const partition of partitions.values()) await tx.setMember(partition, oid, undefined);
        if (meta === undefined) tx.deleteUnreadable(oid, await urlOf(database, oid));
        else await tx.delete(oid);
        continue;
      }
      for (const { partition } of faults) if (partition !== undefined) await dropClaim(tx, partition, oid);
      if (faults.some(({ kind }) => kind === 'order')) await tx.touch(oid);
    }
    return nothing;
  });
}

/** The URL that an object's summary names, or none. */
async function urlOf(database: Database, oid: Oid): Promise<string> {
  const body = await database.get(keys.body(oid));
  return (body && readable(() => decodeObject(body))?.url) ?? '';
}

async function removeOrphans(
  { database, exclusively }: CheckedStore,
  kind: RowKind,
  rows: Rows,
): Promise<void> {
  await exclusively(async () => {
    const still = await orphansAmong(kind, database, rows);
    await database.batch(still.map(([key]): Write => ({ type: 'del', key })));
  });
}

async function removeSet(
  { database, partitions, exclusively }: CheckedStore,
  set: number,
  range: ReturnType<typeof keys.members>,
): Promise<void> {
  for (let more = true; more; )
    more = await exclusively(async () => {
      // A number without an owner may have been assigned since the check began.
      const isTaken =
        [...partitions.values()].includes(set) || (await database.get(keys.filtered(set))) !== undefined;
      if (isTaken) return false;
      const found: Uint8Array[] = [];
      for await (const key of database.keys({ ...range, limit: together })) found.push(key);
      await database.batch(found.map((key): Write => ({ type: 'del', key })));
      return found.length === together;
    });
}

async function forgetMembers(store: CheckedStore, partition: number, oids: readonly Oid[]): Promise<void> {
  await store.step(async (tx) => {
    for (const oid of await lostMembers(store.database, partition, oids))
      await tx.setMember(partition, oid, undefined);
    return nothing;
  });
}

/** Forget wrong paths; the source then sends all of its paths again. */
async function forgetPaths(
  { database, states, exclusively }: CheckedStore,
  partition: number,
  oids: readonly Oid[],
): Promise<void> {
  await exclusively(async () => {
    const wrong = await wrongPaths(database, partition, oids);
    if (wrong.length === 0) return;
    const state = withoutMarker(states.paths(partition) ?? noPaths);
    const deletions = wrong.map(({ oid }): Write => ({ type: 'del', key: keys.path(partition, oid) }));
    await database.batch([
      ...deletions,
      { type: 'put', key: keys.pathState(partition), value: encodePathState(state) },
    ]);
    states.written(new Map(), new Map([[partition, state]]));
  });
}

const withoutMarker = (state: PathState): PathState => ({ ...state, marker: undefined });

async function totalFaults(
  reader: DatabaseSnapshot,
  state: StoreState,
  partitions: ReadonlyMap<string, number>,
): Promise<readonly Fault[]> {
  const faults: (string | undefined)[] = [];
  const own = await ownTotals(reader, state);
  faults.push(totalFault('the store', state.fingerprint, own.fingerprint));
  if (own.bodyBytes !== state.bodyBytes)
    faults.push(`the store counts ${state.bodyBytes} bytes of summaries and has ${own.bodyBytes}`);
  if (own.withdrawals !== state.withdrawals)
    faults.push(`the store counts ${state.withdrawals} withdrawals and has ${own.withdrawals}`);
  for (const [name, partition] of partitions) {
    const found = await partitionTotals(reader, partition);
    const row = await reader.get(keys.partition(partition));
    if (row !== undefined)
      faults.push(totalFault(`the copy of ${name}`, decodePartition(row).fingerprint, found.fingerprint));
    const pathRow = await reader.get(keys.pathState(partition));
    if (pathRow === undefined) continue;
    const paths = decodePathState(pathRow);
    const { own: mine, far } = await pathTotals(reader, partition, paths);
    if (mine !== paths.own || far !== paths.far)
      faults.push(
        `the copy of ${name} counts ${paths.own + paths.far} refused objects and has ${mine + far}`,
      );
  }
  return faults.flatMap((what): Fault[] => (what === undefined ? [] : [{ kind: 'total', what }]));
}

/** Compute every total again from the rows, and drop the sketches. */
async function recount(store: CheckedStore): Promise<void> {
  const { database, partitions, states, summaries, become } = store;
  await store.exclusively(async () => {
    const state = await ownTotals(database, store.state());
    const writes: Write[] = [
      { type: 'put', key: keys.state(), value: encodeState(state) },
      withdrawalsRow(state),
    ];
    writes.push(...(await summaries.forget(ownSet)));
    for (const partition of partitions.values()) {
      const members = await partitionTotals(database, partition);
      writes.push({ type: 'put', key: keys.partition(partition), value: encodePartition(members) });
      writes.push(...(await summaries.forget(partition)));
      const before = states.paths(partition);
      const found = before && (await pathTotals(database, partition, before));
      // A lost path cannot be identified: the source sends them all again.
      const isWhole = found?.own === before?.own && found?.far === before?.far;
      const paths = found && (isWhole ? found : withoutMarker(found));
      if (paths !== undefined)
        writes.push({ type: 'put', key: keys.pathState(partition), value: encodePathState(paths) });
      states.written(new Map([[partition, members]]), new Map(paths && [[partition, paths]]));
    }
    await database.batch(writes, { sync: true });
    become(state);
  });
}
