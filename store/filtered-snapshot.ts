import type {
  Change,
  Entry,
  GroupScheme,
  Handle,
  Lsn,
  OrderedView,
  PublishedObject,
  SetSummary,
  ShortId,
  SourceSnapshot,
  SourceState,
} from '../awareness/index.ts';
import { type Oid, oidFromBytes } from '../soif/index.ts';
import type { DatabaseSnapshot } from './database.ts';
import { decodeFilteredLog, decodeFilteredMember, type FilteredState } from './filtered-rows.ts';
import { keys, setLsnOfKey } from './object-keys.ts';
import { readObject } from './object-snapshot.ts';
import { findEntries } from './set-lookup.ts';
import { orderedBy } from './set-order.ts';
import { filteredRows, type SetRows } from './set-rows.ts';

/** A filtered set as a client sees it. */
export function filteredState({ epoch, lsn, horizon, fingerprint }: FilteredState): SourceState {
  return { epoch, lsn, horizon, count: fingerprint.count, fingerprint: fingerprint.digest() };
}

/** A filtered set at one moment; the objects' contents are the store's. */
export class FilteredSnapshot implements SourceSnapshot {
  readonly state: SourceState;
  readonly #reader: DatabaseSnapshot;
  readonly #set: number;
  readonly #rows: SetRows;
  readonly #summary: SetSummary | undefined;

  constructor(reader: DatabaseSnapshot, set: number, state: FilteredState, summary: SetSummary | undefined) {
    this.state = filteredState(state);
    this.#reader = reader;
    this.#set = set;
    this.#rows = filteredRows(set);
    this.#summary = summary;
  }

  async *changesSince(marker: Lsn): AsyncIterable<Change> {
    for await (const [key, value] of this.#reader.entries(keys.filteredLogAfter(this.#set, marker))) {
      const lsn = setLsnOfKey(key);
      const { kind, oid: bytes } = decodeFilteredLog(value);
      const oid = oidFromBytes(bytes);
      if (kind === 'delete') {
        yield { kind, lsn, oid };
        continue;
      }
      const object = await readObject(this.#reader, oid);
      // The set may be a step behind the store: what is gone there is told at the next round.
      if (object === undefined) continue;
      const member = await this.#reader.get(keys.member(this.#set, oid));
      const known = member !== undefined && decodeFilteredMember(member).contentLsn <= marker;
      const { publisher, updatedAt, signature } = object;
      if (known) yield { kind: 'refresh', lsn, refresh: { oid, publisher, updatedAt, signature } };
      else yield { kind: 'put', lsn, object };
    }
  }

  async *newest(count: number): AsyncIterable<Change> {
    let left = count;
    const range = { ...keys.filteredLogAfter(this.#set, 0), reverse: true };
    for await (const [key, value] of this.#reader.entries(range)) {
      if (left <= 0) return;
      const { kind, oid } = decodeFilteredLog(value);
      if (kind !== 'put') continue;
      left--;
      const object = await readObject(this.#reader, oidFromBytes(oid));
      if (object !== undefined) yield { kind: 'put', lsn: setLsnOfKey(key), object };
    }
  }

  async *scan(after?: Oid): AsyncIterable<Entry> {
    for await (const row of this.#reader.entries(keys.members(this.#set, after))) yield this.#rows.entry(row);
  }

  async get(oid: Oid): Promise<PublishedObject | undefined> {
    const member = await this.#reader.get(keys.member(this.#set, oid));
    return member === undefined ? undefined : readObject(this.#reader, oid);
  }

  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]> {
    return findEntries(names, this.#reader, this.#rows, this.state.epoch);
  }

  async summary(): Promise<SetSummary | undefined> {
    return this.#summary;
  }

  async ordered(scheme: GroupScheme): Promise<OrderedView | undefined> {
    return orderedBy(scheme, this.#reader, this.#rows, this.state.epoch);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#reader[Symbol.asyncDispose]();
  }
}
