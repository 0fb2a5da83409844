import {
  bytesOfHandle,
  type Change,
  type Handle,
  type KnownObject,
  type Marker,
  type Noted,
  type Replica,
  type ReplicaState,
  type SetSummary,
} from '../../awareness/index.ts';
import type { Database, DatabaseSnapshot } from '../database/index.ts';
import {
  decodeLogRow,
  decodeMeta,
  decodeTombstone,
  keys,
  oidOfKey,
  type PartitionState,
} from '../rows/index.ts';
import { findEntries, orderedBy, partitionRows } from '../sets/index.ts';

interface PartitionWriter {
  /** The partition's state as of the last step. */
  readonly state: () => Promise<PartitionState>;
  /** The partition's present sketch; it has `count` elements. */
  readonly summary: (count: number) => Promise<SetSummary>;
  readonly learn: (changes: readonly (Change | Noted)[], marker: Marker) => Promise<void>;
}

/** Views cannot be disposed of: the snapshot of each is released when nothing refers to the view any more. */
const letGo = new FinalizationRegistry<DatabaseSnapshot>((snapshot) => {
  Promise.resolve(snapshot[Symbol.asyncDispose]()).catch(() => undefined);
});

/** The objects with these handles in the whole store, and the deleted ones that have a tombstone. */
async function knownObjects(
  database: Database,
  handles: readonly Handle[],
): Promise<readonly (KnownObject | undefined)[]> {
  const names = handles.map(bytesOfHandle);
  const [metas, graves] = await Promise.all([
    database.entriesIn(names.map(keys.metasOf)),
    database.entriesIn(names.map(keys.tombstonesFor)),
  ]);
  const logs = await database.getMany(
    graves.map(([row]) => keys.log(row === undefined ? 0 : decodeTombstone(row[1]).lsn)),
  );
  return handles.map((_, i) => {
    const [meta] = metas[i] ?? [];
    if (meta !== undefined) {
      const { url, digest, updatedAt, signature } = decodeMeta(meta[1]);
      return { oid: oidOfKey(meta[0]), url, held: { digest, updatedAt, signature } };
    }
    const [[grave] = [], log] = [graves[i], logs[i]];
    const row = grave && log && decodeLogRow(log);
    // A repair deletes objects whose URL was lost: nothing shows any more who may withdraw them.
    return row?.kind === 'delete' && row.url !== '' ? { oid: row.oid, url: row.url } : undefined;
  });
}

/** A store's copy of one source. */
export function partitionReplica(database: Database, partition: number, writer: PartitionWriter): Replica {
  const rows = partitionRows(partition);
  const read = writer.state;
  const state = async (): Promise<ReplicaState> => {
    const { marker, fingerprint } = await read();
    return { marker, count: fingerprint.count, fingerprint: fingerprint.digest() };
  };
  return {
    state,
    scan: async function* (after) {
      for await (const found of database.entryBatches(keys.members(partition, after)))
        for (const row of found) yield rows.entry(row);
    },
    digests: (oids) => database.getMany(oids.map((oid) => keys.member(partition, oid))),
    bodies: (oids) => database.getMany(oids.map(keys.body)),
    find: async (names) => {
      const { marker } = await read();
      if (marker === undefined) return names.map(() => undefined);
      return findEntries(names, database, rows, marker.epoch);
    },
    known: (handles) => knownObjects(database, handles),
    summary: async () => {
      const { marker, fingerprint } = await read();
      return marker === undefined ? undefined : writer.summary(fingerprint.count);
    },
    ordered: async (scheme, epoch) => {
      // Objects learned meanwhile must not move the view of a comparison.
      const snapshot = database.snapshot();
      const view = await orderedBy(scheme, snapshot, rows, epoch);
      if (view === undefined) await snapshot[Symbol.asyncDispose]();
      else letGo.register(view, snapshot);
      return view;
    },
    apply: writer.learn,
  };
}
