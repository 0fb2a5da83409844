import type {
  Change,
  Entry,
  Lsn,
  Noted,
  ObjectDelta,
  PublishedObject,
  SetSummary,
  SourceSnapshot,
  SourceState,
  Withdrawal,
} from '../../awareness/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { DatabaseReader, DatabaseSnapshot } from '../database/index.ts';
import { storeErrors } from '../errors.ts';
import {
  decodeDelta,
  decodeLogRow,
  decodeMeta,
  decodeTombstone,
  expiresAtMs,
  keys,
  type LogRow,
  noteOf,
  numberOfKey,
  type ObjectMeta,
  refreshOf,
  type StoreState,
} from '../rows/index.ts';
import { ownRows } from '../sets/index.ts';
import { published, readObject, SetSnapshot } from './set-snapshot.ts';
import type { StoredObject } from './store-step.ts';

/** How many log rows are looked up together: bodies of one step stay in memory, so it is small. */
const step = 64;

/** A key that no row has: a client that starts at the beginning has no earlier version. */
const unknownRow = new Uint8Array();

/** The delta for a client that has learned everything up to a sequence number: it must have the version before. */
function deltaSince(since: Lsn, row: Uint8Array | undefined): ObjectDelta | undefined {
  if (row === undefined) return undefined;
  const { baseLsn, delta } = decodeDelta(row);
  return baseLsn <= since ? delta : undefined;
}

export function sourceState(state: StoreState): SourceState {
  return {
    epoch: state.epoch,
    lsn: state.lsn,
    horizon: state.horizon,
    count: state.fingerprint.count,
    fingerprint: state.fingerprint.digest(),
  };
}

/** An object's facts without its summary, or undefined. */
export async function describeObject(
  reader: Pick<DatabaseReader, 'getMany'>,
  oid: Oid,
): Promise<StoredObject | undefined> {
  const [row] = await reader.getMany([keys.meta(oid)]);
  if (row === undefined) return undefined;
  const meta = decodeMeta(row);
  const { url, lsn, updatedAt, digest, partitions, withdrawnAt } = meta;
  return { oid, url, lsn, updatedAt, expiresAtMs: expiresAtMs(meta), digest, partitions, withdrawnAt };
}

/** A log row with its object; `meta` is there for every row except deletions. */
export interface LoggedChange {
  readonly lsn: Lsn;
  readonly row: LogRow;
  readonly meta: ObjectMeta | undefined;
  /** Of a deletion that the publisher has signed. */
  readonly withdrawal: Withdrawal | undefined;
}

/** The deletion of an object as a client learns it. */
const deletion = (lsn: Lsn, oid: Oid, withdrawal: Withdrawal | undefined): Change & { kind: 'delete' } => ({
  ...{ kind: 'delete', lsn, oid },
  ...(withdrawal && { withdrawal }),
});

/** The publishers' signatures under these deletions. */
export async function withdrawalsOf(
  reader: Pick<DatabaseReader, 'getMany'>,
  deleted: readonly Oid[],
): Promise<ReadonlyMap<Oid, Withdrawal | undefined>> {
  const graves = deleted.length === 0 ? [] : await reader.getMany(deleted.map(keys.tombstoneOf));
  return new Map(
    deleted.map((oid, i) => {
      const grave = graves[i];
      return [oid, grave && decodeTombstone(grave).withdrawal];
    }),
  );
}

/** The log after `lsn` in order, each object once, by its last change. Costs as much as the changes. */
export async function* readLog(reader: DatabaseReader, lsn: Lsn): AsyncIterable<readonly LoggedChange[]> {
  let rows: { lsn: Lsn; row: LogRow }[] = [];
  const look = async (): Promise<readonly LoggedChange[]> => {
    const metas = await reader.getMany(rows.map(({ row }) => keys.meta(row.oid)));
    const deleted = rows.flatMap(({ row }) => (row.kind === 'delete' ? [row.oid] : []));
    const withdrawals = await withdrawalsOf(reader, deleted);
    const found = rows.map(({ lsn, row }, i) => {
      const meta = row.kind === 'delete' ? undefined : metas[i];
      if (row.kind !== 'delete' && meta === undefined)
        throw failure(storeErrors.STORE_CORRUPT, { what: `log row ${lsn} without its object` });
      const withdrawal = withdrawals.get(row.oid);
      return { lsn, row, meta: meta === undefined ? undefined : decodeMeta(meta), withdrawal };
    });
    rows = [];
    return found;
  };
  for await (const [key, value] of reader.entries(keys.logAfter(lsn))) {
    rows.push({ lsn: numberOfKey(key), row: decodeLogRow(value) });
    if (rows.length === step) yield await look();
  }
  if (rows.length > 0) yield await look();
}

/** An object store at one LSN. */
export class ObjectSnapshot extends SetSnapshot implements SourceSnapshot {
  constructor(state: StoreState, reader: DatabaseSnapshot, summary?: SetSummary) {
    super(sourceState(state), reader, ownRows, summary);
  }

  protected async *newestFirst() {
    for await (const [key, value] of this.reader.entries({ ...keys.logAfter(0), reverse: true }))
      yield { lsn: numberOfKey(key), ...decodeLogRow(value) };
  }

  protected rowKey(oid: Oid): Uint8Array {
    return keys.meta(oid);
  }

  get(oid: Oid): Promise<PublishedObject | undefined> {
    return readObject(this.reader, oid);
  }

  /** The log with deleted objects' URLs and without bodies, for readers that print it. */
  log(lsn: Lsn): AsyncIterable<readonly LoggedChange[]> {
    return readLog(this.reader, lsn);
  }

  /** The LSN of the last change written before `seconds`, found from the log's end; 0 when there is none. */
  async lsnBefore(seconds: number): Promise<Lsn> {
    for await (const { lsn, atMs } of this.newestFirst()) if (atMs < seconds * 1000) return lsn;
    return 0;
  }

  async *notesSince(since: Lsn): AsyncIterable<Exclude<Change, { kind: 'put' }> | Noted> {
    for await (const found of readLog(this.reader, since))
      for (const { lsn, row, meta, withdrawal } of found) {
        if (meta === undefined) yield deletion(lsn, row.oid, withdrawal);
        else if (meta.contentLsn > since) yield noteOf(lsn, row.oid, meta.digest);
        else yield { kind: 'refresh', lsn, refresh: refreshOf(row.oid, meta) };
      }
  }

  async *changesSince(since: Lsn): AsyncIterable<Change> {
    for await (const { change } of this.history(since)) yield change;
  }

  /** The same changes with the partitions that hold each object. */
  async *history(
    since: Lsn,
  ): AsyncIterable<{ readonly change: Change; readonly partitions: readonly number[] }> {
    for await (const found of readLog(this.reader, since)) {
      const changed = found.filter(({ meta }) => meta !== undefined && meta.contentLsn > since);
      const [bodies, deltas] = await Promise.all([
        this.reader.getMany(changed.map(({ row }) => keys.body(row.oid))),
        this.reader.getMany(changed.map(({ row }) => (since === 0 ? unknownRow : keys.delta(row.oid)))),
      ]);
      const deltaOf = new Map(changed.map(({ row }, i) => [row.oid, deltas[i]]));
      const bodyOf = new Map(changed.map(({ row }, i) => [row.oid, bodies[i]]));
      for (const { lsn, row, meta, withdrawal } of found) {
        const partitions = meta?.partitions ?? [];
        if (meta === undefined) {
          yield { change: deletion(lsn, row.oid, withdrawal), partitions };
        } else if (meta.contentLsn > since) {
          const body = bodyOf.get(row.oid);
          if (body === undefined)
            throw failure(storeErrors.STORE_CORRUPT, { what: `object ${row.oid} without a body` });
          const delta = deltaSince(since, deltaOf.get(row.oid));
          const object = published(row.oid, meta, body);
          yield { change: { kind: 'put', lsn, object, ...(delta && { delta }) }, partitions };
        } else {
          yield { change: { kind: 'refresh', lsn, refresh: refreshOf(row.oid, meta) }, partitions };
        }
      }
    }
  }

  /** The facts of at most `count` objects without their summaries, in the order of their ids. */
  async *sample(count: number): AsyncIterable<ObjectMeta> {
    let left = count;
    for await (const rows of this.reader.entryBatches(keys.metas()))
      for (const [, value] of rows) {
        if (left-- <= 0) return;
        yield decodeMeta(value);
      }
  }

  async *scan(after?: Oid): AsyncIterable<Entry> {
    for await (const rows of this.reader.entryBatches(keys.metas(after)))
      for (const row of rows) yield ownRows.entry(row);
  }
}
