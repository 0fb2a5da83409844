import type {
  Change,
  Entry,
  Lsn,
  Noted,
  PublishedObject,
  SetSummary,
  SourceSnapshot,
  SourceState,
} from '../../awareness/index.ts';
import { type Oid, oidFromBytes } from '../../soif/index.ts';
import { readObject, SetSnapshot, withdrawalsOf } from '../changes/index.ts';
import type { DatabaseSnapshot } from '../database/index.ts';
import {
  decodeFilteredLog,
  decodeFilteredMember,
  decodeMeta,
  type FilteredState,
  keys,
  noteOf,
  refreshOf,
  setLsnOfKey,
} from '../rows/index.ts';
import { filteredRows } from '../sets/index.ts';

/** A change of an object's membership in a set, for a client that knows the set before it. */
export type MembershipEvent = {
  readonly oid: Oid;
  /** The set's own. */
  readonly lsn: Lsn;
  /** Seconds since 1970. */
  readonly time: number;
} & ({ readonly kind: 'insert' | 'change'; readonly object: PublishedObject } | { readonly kind: 'delete' });

export function filteredState({ epoch, lsn, horizon, fingerprint }: FilteredState): SourceState {
  return { epoch, lsn, horizon, count: fingerprint.count, fingerprint: fingerprint.digest() };
}

/** A filtered set at one moment; the objects' contents are the store's. */
export class FilteredSnapshot extends SetSnapshot implements SourceSnapshot {
  readonly #set: number;

  constructor(reader: DatabaseSnapshot, set: number, state: FilteredState, summary: SetSummary | undefined) {
    super(filteredState(state), reader, filteredRows(set), summary);
    this.#set = set;
  }

  async *changesSince(marker: Lsn): AsyncIterable<Change> {
    for await (const { kind, lsn, oid } of this.#logged(marker)) {
      if (kind === 'delete') {
        yield await this.#left(lsn, oid);
        continue;
      }
      const object = await readObject(this.reader, oid);
      // The set may be a step behind the store: an object deleted there is reported at the next round.
      if (object === undefined) continue;
      const member = await this.reader.get(keys.member(this.#set, oid));
      const known = member !== undefined && decodeFilteredMember(member).contentLsn <= marker;
      if (known) yield { kind: 'refresh', lsn, refresh: refreshOf(oid, object) };
      else yield { kind: 'put', lsn, object };
    }
  }

  async *notesSince(marker: Lsn): AsyncIterable<Exclude<Change, { kind: 'put' }> | Noted> {
    for await (const { kind, lsn, oid } of this.#logged(marker)) {
      if (kind === 'delete') {
        yield await this.#left(lsn, oid);
        continue;
      }
      const [row, meta] = await this.reader.getMany([keys.member(this.#set, oid), keys.meta(oid)]);
      if (row === undefined || meta === undefined) continue;
      const { contentLsn, digest } = decodeFilteredMember(row);
      if (contentLsn > marker) yield noteOf(lsn, oid, digest);
      else yield { kind: 'refresh', lsn, refresh: refreshOf(oid, decodeMeta(meta)) };
    }
  }

  /** An object that left the set: perhaps because its publisher has withdrawn it. */
  async #left(lsn: Lsn, oid: Oid): Promise<Change & { kind: 'delete' }> {
    const withdrawal = (await withdrawalsOf(this.reader, [oid])).get(oid);
    return { kind: 'delete', lsn, oid, ...(withdrawal && { withdrawal }) };
  }

  /**
   * The objects that entered the set, changed in it and left it after `known`, each by its last event, in the order
   * of the log behind `after`; mere refreshes are no events. A client that reads in parts passes the same `known`
   * until it has read all. `newestFirst`: from the log's end, and without objects refreshed since.
   */
  async *events(options: {
    readonly known: Lsn;
    readonly after?: Lsn;
    readonly newestFirst?: boolean;
  }): AsyncIterable<MembershipEvent> {
    const { known, after = known, newestFirst = false } = options;
    for await (const { kind, lsn, oid, time } of this.#logged(after, newestFirst)) {
      if (kind === 'delete') {
        yield { kind, lsn, oid, time };
        continue;
      }
      const row = await this.reader.get(keys.member(this.#set, oid));
      if (row === undefined || (kind === 'refresh' && newestFirst)) continue;
      const { contentLsn, enteredLsn } = decodeFilteredMember(row);
      if (contentLsn <= known) continue;
      const object = await readObject(this.reader, oid);
      const isNew = newestFirst ? enteredLsn === contentLsn : enteredLsn > known;
      if (object !== undefined) yield { kind: isNew ? 'insert' : 'change', lsn, oid, time, object };
    }
  }

  /** The set's log after `marker`, from its end when `reverse`. */
  async *#logged(marker: Lsn, reverse = false) {
    const range = { ...keys.filteredLogAfter(this.#set, marker), reverse };
    for await (const [key, value] of this.reader.entries(range)) {
      const { kind, oid, time } = decodeFilteredLog(value);
      yield { kind, lsn: setLsnOfKey(key), oid: oidFromBytes(oid), time };
    }
  }

  protected newestFirst() {
    return this.#logged(0, true);
  }

  protected rowKey(oid: Oid): Uint8Array {
    return keys.member(this.#set, oid);
  }
  async *scan(after?: Oid): AsyncIterable<Entry> {
    for await (const found of this.reader.entryBatches(keys.members(this.#set, after)))
      for (const row of found) yield this.rows.entry(row);
  }

  async get(oid: Oid): Promise<PublishedObject | undefined> {
    const member = await this.reader.get(keys.member(this.#set, oid));
    return member === undefined ? undefined : readObject(this.reader, oid);
  }
}
