import type { Filter, Lsn } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { decodeFilteredMember, decodeMeta, type FilteredState, keys } from '../rows/index.ts';
import { SetChanges } from '../sets/index.ts';

/** One step of following the store for a filtered set. */
export class FilteredStep {
  readonly #reader: DatabaseReader;
  readonly #set: number;
  readonly #filter: Filter;
  readonly #now: number;
  readonly #changes: SetChanges;

  /** `now`: seconds since 1970. */
  constructor(reader: DatabaseReader, set: number, filter: Filter, state: FilteredState, now: number) {
    this.#reader = reader;
    this.#set = set;
    this.#filter = filter;
    this.#now = now;
    this.#changes = new SetChanges(set, state, now);
  }

  /** Judge these objects as they are now; each at most once to a step. */
  async judge(oids: readonly Oid[]): Promise<void> {
    const [metas, bodies, members, gones] = await Promise.all([
      this.#reader.getMany(oids.map(keys.meta)),
      this.#reader.getMany(oids.map(keys.body)),
      this.#reader.getMany(oids.map((oid) => keys.member(this.#set, oid))),
      this.#reader.getMany(oids.map((oid) => keys.filteredGone(this.#set, oid))),
    ]);
    for (const [i, oid] of oids.entries()) {
      const [meta, body, row] = [metas[i], bodies[i], members[i]];
      const member = row === undefined ? undefined : decodeFilteredMember(row);
      const verdict =
        meta === undefined || body === undefined ? undefined : this.#filter.judge(body, this.#now);
      const digest = meta === undefined ? undefined : decodeMeta(meta).digest;
      if (verdict?.holds === true && digest !== undefined) {
        this.#changes.enter(oid, digest, verdict.until ?? 0, { member, gone: gones[i] });
      } else {
        if (member !== undefined) this.#changes.leave(oid, member);
        // What is not wanted yet may be wanted later, though nobody touches it.
        if (verdict?.until !== undefined)
          this.#changes.put(keys.due(this.#set, verdict.until, oid), new Uint8Array());
      }
    }
  }

  /** Everything to write, for a set that now follows the store up to `storeLsn`. */
  finish(storeLsn: Lsn): ReturnType<SetChanges['finish']> {
    return this.#changes.finish(storeLsn, this.#now);
  }
}
