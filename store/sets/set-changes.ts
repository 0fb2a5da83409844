import {
  bytesOfHandle,
  elementId,
  handleOf,
  type Lsn,
  type ShortId,
  sameBytes,
  shortIdOf,
} from '../../awareness/index.ts';
import { type Oid, oidBytes } from '../../soif/index.ts';
import type { Write } from '../database/index.ts';
import {
  encodeFiltered,
  encodeFilteredLog,
  encodeFilteredMember,
  type FilteredKind,
  type FilteredMember,
  type FilteredState,
  keys,
  type SetChange,
} from '../rows/index.ts';

/** The rows of an object in a set: its row as a member, and as one that left. */
export interface KnownMember {
  readonly member: FilteredMember | undefined;
  readonly gone: Uint8Array | undefined;
}

/** The rows that one step writes for a set with a log of its own: entries, changes and departures. */
export class SetChanges {
  readonly #set: number;
  /** Seconds since 1970; stored with each change. */
  readonly #now: number;
  readonly #writes: Write[] = [];
  readonly #added: ShortId[] = [];
  readonly #removed: ShortId[] = [];
  #state: FilteredState;

  constructor(set: number, state: FilteredState, now: number) {
    this.#set = set;
    this.#now = now;
    this.#state = { ...state, fingerprint: state.fingerprint.copy() };
  }

  get size(): number {
    return this.#writes.length;
  }

  /** Number of objects in the set after the changes so far. */
  get count(): number {
    return this.#state.fingerprint.count;
  }

  /** The object belongs to the set with this content; `due`: the time to judge it again (s), or 0. */
  enter(oid: Oid, digest: Uint8Array, due: number, { member, gone }: KnownMember): void {
    const kind: FilteredKind = member !== undefined && sameBytes(member.digest, digest) ? 'refresh' : 'put';
    const lsn = this.#next();
    if (member !== undefined) this.#unlog(oid, member);
    if (gone !== undefined) this.#forgetGone(oid, gone);
    if (kind === 'put') {
      if (member !== undefined) this.#takeOut(oid, member.digest);
      this.#putIn(oid, digest);
    }
    const contentLsn = kind === 'put' || member === undefined ? lsn : member.contentLsn;
    const enteredLsn = member === undefined ? lsn : member.enteredLsn;
    this.put(keys.member(this.#set, oid), encodeFilteredMember({ digest, lsn, contentLsn, enteredLsn, due }));
    this.put(keys.filteredLog(this.#set, lsn), encodeFilteredLog(oidBytes(oid), kind, this.#now));
    if (due > 0) this.put(keys.due(this.#set, due, oid), new Uint8Array());
  }

  leave(oid: Oid, member: FilteredMember): void {
    const lsn = this.#next();
    this.#unlog(oid, member);
    this.#takeOut(oid, member.digest);
    this.#delete(keys.member(this.#set, oid));
    this.put(keys.filteredLog(this.#set, lsn), encodeFilteredLog(oidBytes(oid), 'delete', this.#now));
    const row = Buffer.alloc(8);
    row.writeBigUInt64BE(BigInt(lsn));
    this.put(keys.filteredGone(this.#set, oid), row);
    this.#state = { ...this.#state, gone: this.#state.gone + 1 };
  }

  put(key: Uint8Array, value: Uint8Array): void {
    this.#writes.push({ type: 'put', key, value });
  }

  /** All writes, for a set that now follows the store up to `storeLsn` and the clock up to `time`. */
  finish(
    storeLsn: Lsn,
    time: number,
  ): { readonly writes: readonly Write[]; readonly state: FilteredState; readonly change: SetChange } {
    const state = { ...this.#state, storeLsn, time };
    this.put(keys.filtered(this.#set), encodeFiltered(state));
    return { writes: this.#writes, state, change: { added: this.#added, removed: this.#removed } };
  }

  #next(): Lsn {
    const lsn = this.#state.lsn + 1;
    this.#state = { ...this.#state, lsn };
    return lsn;
  }

  #unlog(oid: Oid, { lsn, due }: FilteredMember): void {
    this.#delete(keys.filteredLog(this.#set, lsn));
    if (due > 0) this.#delete(keys.due(this.#set, due, oid));
  }

  #forgetGone(oid: Oid, row: Uint8Array): void {
    const lsn = Number(Buffer.from(row.buffer, row.byteOffset, row.byteLength).readBigUInt64BE());
    this.#delete(keys.filteredLog(this.#set, lsn));
    this.#delete(keys.filteredGone(this.#set, oid));
    this.#state = { ...this.#state, gone: this.#state.gone - 1 };
  }

  #element(oid: Oid, digest: Uint8Array): readonly [Uint8Array, ShortId] {
    const element = elementId(this.#state.epoch, oid, digest);
    return [element, shortIdOf(bytesOfHandle(handleOf(oid)), element)];
  }

  #putIn(oid: Oid, digest: Uint8Array): void {
    const [element, id] = this.#element(oid, digest);
    this.#state.fingerprint.add(element);
    this.#added.push(id);
  }

  #takeOut(oid: Oid, digest: Uint8Array): void {
    const [element, id] = this.#element(oid, digest);
    this.#state.fingerprint.remove(element);
    this.#removed.push(id);
  }

  #delete(key: Uint8Array): void {
    this.#writes.push({ type: 'del', key });
  }
}
