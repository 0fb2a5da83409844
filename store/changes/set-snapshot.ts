import {
  bytesOfHandle,
  type Change,
  type Entry,
  type GroupScheme,
  type Handle,
  type Lsn,
  type Noted,
  type OrderedView,
  type PublishedObject,
  type SetSummary,
  type ShortId,
  type SourceState,
} from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { DatabaseReader, DatabaseSnapshot } from '../database/index.ts';
import { decodeMeta, decodeTombstone, keys, noteOf, type ObjectMeta, oidOfKey } from '../rows/index.ts';
import { findEntries, orderedBy, type SetRows } from '../sets/index.ts';

export function published(oid: Oid, meta: ObjectMeta, body: Uint8Array): PublishedObject {
  const { digest, updatedAt, publisher, signature } = meta;
  return { oid, digest, body, updatedAt, publisher, signature };
}

/** One object with its provenance, or undefined. */
export async function readObject(
  reader: Pick<DatabaseReader, 'getMany'>,
  oid: Oid,
): Promise<PublishedObject | undefined> {
  const [meta, body] = await reader.getMany([keys.meta(oid), keys.body(oid)]);
  return meta === undefined || body === undefined ? undefined : published(oid, decodeMeta(meta), body);
}

/** What a snapshot of a whole store and one of a filtered set have in common. */
export abstract class SetSnapshot {
  readonly state: SourceState;
  protected readonly reader: DatabaseSnapshot;
  protected readonly rows: SetRows;
  readonly #summary: SetSummary | undefined;

  constructor(state: SourceState, reader: DatabaseSnapshot, rows: SetRows, summary: SetSummary | undefined) {
    this.state = state;
    this.reader = reader;
    this.rows = rows;
    this.#summary = summary;
  }

  /** The log from its end. */
  protected abstract newestFirst(): AsyncIterable<{ kind: string; lsn: Lsn; oid: Oid }>;

  /** The key of an object's row in the set. */
  protected abstract rowKey(oid: Oid): Uint8Array;

  async *newest(count: number): AsyncIterable<Change> {
    for await (const { lsn, oid } of this.#newest(count)) {
      const object = await readObject(this.reader, oid);
      if (object !== undefined) yield { kind: 'put', lsn, object };
    }
  }

  async *newestNotes(count: number): AsyncIterable<Noted> {
    for await (const { lsn, oid } of this.#newest(count)) {
      const key = this.rowKey(oid);
      const row = await this.reader.get(key);
      if (row !== undefined) yield noteOf(lsn, oid, this.rows.entry([key, row]).digest);
    }
  }

  async *#newest(count: number): AsyncIterable<{ readonly lsn: Lsn; readonly oid: Oid }> {
    let left = count;
    if (left <= 0) return;
    for await (const { kind, lsn, oid } of this.newestFirst()) {
      if (kind !== 'put') continue;
      yield { lsn, oid };
      if (--left === 0) return;
    }
  }

  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]> {
    return findEntries(names, this.reader, this.rows, this.state.epoch);
  }

  async withdrawn(handles: readonly Handle[]): Promise<readonly (Change & { readonly kind: 'delete' })[]> {
    const found = await this.reader.entriesIn(handles.map(bytesOfHandle).map(keys.tombstonesFor));
    return found.flatMap(([row]) => {
      if (row === undefined) return [];
      const { lsn, withdrawal } = decodeTombstone(row[1]);
      return withdrawal === undefined ? [] : [{ kind: 'delete', lsn, oid: oidOfKey(row[0]), withdrawal }];
    });
  }

  async summary(): Promise<SetSummary | undefined> {
    return this.#summary;
  }

  async ordered(scheme: GroupScheme): Promise<OrderedView | undefined> {
    return orderedBy(scheme, this.reader, this.rows, this.state.epoch);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.reader[Symbol.asyncDispose]();
  }
}
