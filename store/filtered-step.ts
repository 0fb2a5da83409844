import {
  bytesOfHandle,
  elementId,
  type Filter,
  handleOf,
  type Lsn,
  type ShortId,
  shortIdOf,
} from '../awareness/index.ts';
import { type Oid, oidBytes } from '../soif/index.ts';
import type { DatabaseReader, Write } from './database.ts';
import {
  decodeFilteredMember,
  encodeFiltered,
  encodeFilteredLog,
  encodeFilteredMember,
  type FilteredKind,
  type FilteredMember,
  type FilteredState,
} from './filtered-rows.ts';
import { keys } from './object-keys.ts';
import { decodeMeta } from './object-meta.ts';
import type { SetChange } from './summary-rows.ts';

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** The rows that one step of following the store writes for a filtered set. */
export class FilteredStep {
  readonly #reader: DatabaseReader;
  readonly #set: number;
  readonly #filter: Filter;
  readonly #writes: Write[] = [];
  readonly #added: ShortId[] = [];
  readonly #removed: ShortId[] = [];
  #state: FilteredState;

  constructor(reader: DatabaseReader, set: number, filter: Filter, state: FilteredState) {
    this.#reader = reader;
    this.#set = set;
    this.#filter = filter;
    this.#state = { ...state, fingerprint: state.fingerprint.copy() };
  }

  /** Judge these objects as they are now, at `now` (seconds since 1970); each at most once to a step. */
  async judge(oids: readonly Oid[], now: number): Promise<void> {
    const [metas, bodies, members, gones] = await Promise.all([
      this.#reader.getMany(oids.map(keys.meta)),
      this.#reader.getMany(oids.map(keys.body)),
      this.#reader.getMany(oids.map((oid) => keys.member(this.#set, oid))),
      this.#reader.getMany(oids.map((oid) => keys.filteredGone(this.#set, oid))),
    ]);
    for (const [i, oid] of oids.entries()) {
      const [meta, body, row] = [metas[i], bodies[i], members[i]];
      const member = row === undefined ? undefined : decodeFilteredMember(row);
      const verdict = meta === undefined || body === undefined ? undefined : this.#filter.judge(body, now);
      const digest = meta === undefined ? undefined : decodeMeta(meta).digest;
      if (verdict?.holds === true && digest !== undefined) {
        const kind = member !== undefined && equal(member.digest, digest) ? 'refresh' : 'put';
        this.#enter(oid, kind, digest, verdict.until, member, gones[i]);
      } else {
        if (member !== undefined) this.#leave(oid, member);
        // What is not wanted yet may be wanted later, though nobody touches it.
        if (verdict?.until !== undefined)
          this.#put(keys.due(this.#set, verdict.until, oid), new Uint8Array());
      }
    }
  }

  /** Everything to write, for a set that now follows the store up to `storeLsn` and the clock up to `time`. */
  finish(
    storeLsn: Lsn,
    time: number,
  ): {
    readonly writes: readonly Write[];
    readonly state: FilteredState;
    readonly change: SetChange;
  } {
    const state = { ...this.#state, storeLsn, time };
    this.#put(keys.filtered(this.#set), encodeFiltered(state));
    return { writes: this.#writes, state, change: { added: this.#added, removed: this.#removed } };
  }

  #enter(
    oid: Oid,
    kind: FilteredKind,
    digest: Uint8Array,
    until: number | undefined,
    member: FilteredMember | undefined,
    gone: Uint8Array | undefined,
  ): void {
    const lsn = this.#next();
    const due = until ?? 0;
    if (member !== undefined) this.#unlog(oid, member);
    if (gone !== undefined) this.#forgetGone(oid, gone);
    if (kind === 'put') {
      if (member !== undefined) this.#takeOut(oid, member.digest);
      this.#putIn(oid, digest);
    }
    const contentLsn = kind === 'put' || member === undefined ? lsn : member.contentLsn;
    this.#put(keys.member(this.#set, oid), encodeFilteredMember({ digest, lsn, contentLsn, due }));
    this.#put(keys.filteredLog(this.#set, lsn), encodeFilteredLog(oidBytes(oid), kind));
    if (due > 0) this.#put(keys.due(this.#set, due, oid), new Uint8Array());
  }

  #leave(oid: Oid, member: FilteredMember): void {
    const lsn = this.#next();
    this.#unlog(oid, member);
    this.#takeOut(oid, member.digest);
    this.#delete(keys.member(this.#set, oid));
    this.#put(keys.filteredLog(this.#set, lsn), encodeFilteredLog(oidBytes(oid), 'delete'));
    const row = Buffer.alloc(8);
    row.writeBigUInt64BE(BigInt(lsn));
    this.#put(keys.filteredGone(this.#set, oid), row);
    this.#state = { ...this.#state, gone: this.#state.gone + 1 };
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

  #put(key: Uint8Array, value: Uint8Array): void {
    this.#writes.push({ type: 'put', key, value });
  }

  #delete(key: Uint8Array): void {
    this.#writes.push({ type: 'del', key });
  }
}
