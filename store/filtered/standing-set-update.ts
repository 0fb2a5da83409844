import type { Lsn } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Database, Write } from '../database/index.ts';
import {
  decodeFiltered,
  decodeFilteredMember,
  decodeMeta,
  decodeSets,
  encodeSets,
  type FilteredState,
  keys,
} from '../rows/index.ts';
import { SetChanges } from '../sets/index.ts';

export interface Placing {
  /** Seconds since 1970. */
  readonly now: number;
  /** The sets that an object belongs to, by its binary form. */
  readonly setsOf: (body: Uint8Array) => readonly number[];
  readonly isLive: (set: number) => boolean;
  /** The state of a set that has none yet. */
  readonly begin: (set: number) => FilteredState;
}

/** An object with the sets that it enters and leaves. */
interface Placed {
  readonly oid: Oid;
  readonly digest: Uint8Array | undefined;
  readonly before: readonly number[];
  readonly enters: readonly number[];
  readonly leaves: readonly number[];
}

/** The result of a step for a set. */
type Made = Omit<ReturnType<SetChanges['finish']>, 'writes'>;

/** One step that places objects into the standing sets that they belong to: judged once for all of them. */
export class StandingSetUpdate {
  readonly #database: Database;
  readonly #placing: Placing;
  readonly #changes = new Map<number, SetChanges>();
  readonly #writes: Write[] = [];

  constructor(database: Database, placing: Placing) {
    this.#database = database;
    this.#placing = placing;
  }

  /**
   * Place objects of the store's log. One with the same content as at `judged` stays in its sets. Resolves to
   * the number placed: fewer when there are more than `max` memberships.
   */
  follow(oids: readonly Oid[], judged: Lsn, max: number): Promise<number> {
    return this.#place(oids, max, (meta, body, before) => {
      if (meta === undefined || body === undefined) return [];
      return meta.contentLsn <= judged ? before : this.#placing.setsOf(body());
    });
  }

  /** Put objects into those new sets that they belong to and are not in yet. */
  fill(oids: readonly Oid[], isNew: (set: number) => boolean, max: number): Promise<number> {
    return this.#place(oids, max, (_meta, body, before) => {
      const found = body === undefined ? [] : this.#placing.setsOf(body()).filter(isNew);
      return { enters: without(found, before) };
    });
  }

  /** Remove deleted objects from every set. */
  sweep(oids: readonly Oid[], max: number): Promise<number> {
    return this.#place(oids, max, (meta) => (meta === undefined ? [] : { enters: [] }));
  }

  /** All writes, with the result for each set, for sets that follow the store up to `storeLsn`. */
  finish(storeLsn: Lsn): { readonly writes: readonly Write[]; readonly sets: ReadonlyMap<number, Made> } {
    const sets = new Map<number, Made>();
    const writes = [...this.#writes];
    for (const [set, changes] of this.#changes) {
      const { writes: rows, ...made } = changes.finish(storeLsn, this.#placing.now);
      for (const row of rows) writes.push(row);
      sets.set(set, made);
    }
    return { writes, sets };
  }

  /** `wanted`: the sets that an object belongs to from now on, or those that it enters without leaving any. */
  async #place(
    oids: readonly Oid[],
    max: number,
    wanted: (
      meta: ReturnType<typeof decodeMeta> | undefined,
      body: (() => Uint8Array) | undefined,
      before: readonly number[],
    ) => readonly number[] | { readonly enters: readonly number[] },
  ): Promise<number> {
    const [metas, bodies, rows] = await Promise.all([
      this.#database.getMany(oids.map(keys.meta)),
      this.#database.getMany(oids.map(keys.body)),
      this.#database.getMany(oids.map(keys.setsOf)),
    ]);
    const placed: Placed[] = [];
    let [taken, memberships] = [0, 0];
    for (const [i, oid] of oids.entries()) {
      if (memberships >= max) break;
      taken++;
      const [metaRow, body, row] = [metas[i], bodies[i], rows[i]];
      const meta = metaRow === undefined ? undefined : decodeMeta(metaRow);
      const before = decodeSets(row).filter(this.#placing.isLive);
      const answer = wanted(meta, body && (() => body), before);
      const [enters, leaves] = 'enters' in answer ? [answer.enters, []] : [answer, without(before, answer)];
      if (enters.length + leaves.length === 0) continue;
      memberships += enters.length + leaves.length;
      placed.push({ oid, digest: meta?.digest, before, enters, leaves });
    }
    await this.#note(placed);
    return taken;
  }

  async #note(placed: readonly Placed[]): Promise<void> {
    const pairs = placed.flatMap(({ oid, enters, leaves }) =>
      [...enters, ...leaves].map((set) => ({ oid, set })),
    );
    const unknown = [...new Set(pairs.map(({ set }) => set))].filter((set) => !this.#changes.has(set));
    const [members, gones, states] = await Promise.all([
      this.#database.getMany(pairs.map(({ set, oid }) => keys.member(set, oid))),
      this.#database.getMany(pairs.map(({ set, oid }) => keys.filteredGone(set, oid))),
      this.#database.getMany(unknown.map(keys.filtered)),
    ]);
    for (const [i, set] of unknown.entries()) {
      const row = states[i];
      const state = row === undefined ? this.#placing.begin(set) : decodeFiltered(row);
      this.#changes.set(set, new SetChanges(set, state, this.#placing.now));
    }
    let at = 0;
    for (const { oid, digest, before, enters, leaves } of placed) {
      for (const set of enters) {
        const row = members[at];
        const member = row === undefined ? undefined : decodeFilteredMember(row);
        if (digest !== undefined) this.#of(set).enter(oid, digest, 0, { member, gone: gones[at] });
        at++;
      }
      for (const set of leaves) {
        const row = members[at++];
        if (row !== undefined) this.#of(set).leave(oid, decodeFilteredMember(row));
      }
      this.#noteSets(oid, before, [...without(before, [...enters, ...leaves]), ...enters]);
    }
  }

  #of(set: number): SetChanges {
    return this.#changes.get(set) as SetChanges;
  }

  #noteSets(oid: Oid, before: readonly number[], after: readonly number[]): void {
    const sorted = [...after].sort((a, b) => a - b);
    if (sorted.length === before.length && sorted.every((set, i) => set === before[i])) return;
    const key = keys.setsOf(oid);
    this.#writes.push(
      sorted.length === 0 ? { type: 'del', key } : { type: 'put', key, value: encodeSets(sorted) },
    );
  }
}

/** The members of `all` that are not among `others`. */
function without(all: readonly number[], others: readonly number[]): readonly number[] {
  if (all.length === 0 || others.length === 0) return all;
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}
