import type { Database } from '../../../store/index.ts';
import type { Entry, PurgeTarget } from '../model/entry.ts';
import { bothEffects, effectOf, isCovered, type PurgeEffect } from '../model/purge-effect.ts';
import { type NumberedPurge, RecentPurges } from '../model/recent-purges.ts';
import { originHash, originOf, tagBits } from './disk-index.ts';
import { flag, type SlotTable, word } from './slot-table.ts';

/** A purge that is active while the index may still have entries that it covers. */
export interface PurgeMark extends NumberedPurge {
  /** The number of entries that it has covered. */
  count: number;
  /** Whether the purge may cover an entry, by its row alone. */
  readonly mayCover: (table: SlotTable, slot: number) => boolean;
}

const keyOf = (number: number) => Buffer.from(number.toString().padStart(12, '0'));

/** The stored form of a purge; soft ones of former releases have no time and act as invalidations. */
interface WrittenPurge {
  readonly target: PurgeTarget;
  readonly soft: boolean;
  readonly atMs?: number;
}

function written({ target, effect }: NumberedPurge): WrittenPurge {
  if (effect === 'forget') return { target, soft: false };
  return typeof effect === 'string'
    ? { target, soft: true }
    : { target, soft: true, atMs: effect.staleSinceMs };
}

function markOf({ number, target, effect }: NumberedPurge): PurgeMark {
  let mayCover: PurgeMark['mayCover'] = () => true;
  if ('tag' in target) {
    const bits = tagBits([target.tag]);
    mayCover = (table, slot) => (table.get(slot, word.tags) & bits) >>> 0 === bits;
  } else if ('prefix' in target && originOf(target.prefix) !== undefined) {
    const hash = originHash(target.prefix);
    mayCover = (table, slot) =>
      table.get(slot, word.origin) === hash || table.hasFlag(slot, flag.softlyPurged);
  }
  return { number, target, effect, count: 0, mayCover };
}

/**
 * Purges by prefix, by tag and of everything. They are active at once, by being compared with every older entry. They
 * are written to disk, so that they survive a crash, and are removed when a sweep has passed over the whole index.
 */
export class PurgeMarks {
  readonly #database: Database;
  readonly recent: RecentPurges;
  #active: readonly PurgeMark[];

  private constructor(database: Database, active: readonly PurgeMark[], latest: number) {
    this.#database = database;
    this.#active = active;
    this.recent = new RecentPurges(latest);
  }

  /** Read the active purges; `leastLatest` is the highest number in the index. */
  static async open(database: Database, leastLatest: number): Promise<PurgeMarks> {
    const active: PurgeMark[] = [];
    let latest = leastLatest;
    for await (const [key, value] of database.entries()) {
      const number = Number(Buffer.from(key).toString());
      const { target, soft, atMs } = JSON.parse(Buffer.from(value).toString()) as WrittenPurge;
      const effect = soft && atMs === undefined ? 'validate' : effectOf(soft, atMs ?? 0);
      active.push(markOf({ number, target, effect }));
      latest = Math.max(latest, number);
    }
    return new PurgeMarks(database, active, latest);
  }

  /** Remove all purges, because they cannot be read. */
  static async reset(database: Database, leastLatest: number): Promise<PurgeMarks> {
    const keys: Uint8Array[] = [];
    for await (const key of database.keys()) keys.push(key);
    await database.batch(keys.map((key) => ({ type: 'del', key })));
    return new PurgeMarks(database, [], leastLatest);
  }

  get latest(): number {
    return this.recent.latest;
  }

  get active(): readonly PurgeMark[] {
    return this.#active;
  }

  /** Active when this returns, and after a crash when `written` resolves. */
  add(target: PurgeTarget, effect: PurgeEffect): { mark: PurgeMark; written: Promise<void> } {
    const mark = markOf(this.recent.add(target, effect));
    this.#active = [...this.#active, mark];
    const value = Buffer.from(JSON.stringify(written(mark)));
    const key = keyOf(mark.number);
    return { mark, written: this.#database.batch([{ type: 'put', key, value }], { sync: true }) };
  }

  /** Remove these purges: the index no longer has an entry that they cover, and is on disk. */
  async done(marks: readonly PurgeMark[]): Promise<void> {
    this.#active = this.#active.filter((mark) => !marks.includes(mark));
    await this.#database.batch(marks.map(({ number }) => ({ type: 'del', key: keyOf(number) })));
  }

  /** The active purges that are later than an entry's row and may cover it. */
  concerning(table: SlotTable, slot: number): readonly PurgeMark[] {
    if (this.#active.length === 0) return this.#active;
    const seen = table.get(slot, word.mark);
    if (seen === this.latest) return [];
    return this.#active.filter((mark) => mark.number > seen && mark.mayCover(table, slot));
  }
}

/** The effect of these purges on an entry, each of which counts it; the row is not changed. */
export function verdict(marks: readonly PurgeMark[], entry: Pick<Entry, 'key' | 'tags'>): PurgeEffect {
  let result: PurgeEffect = 'nothing';
  for (const mark of marks) {
    if (!isCovered(mark.target, entry)) continue;
    mark.count++;
    if (mark.effect === 'forget') return 'forget';
    result = bothEffects(result, mark.effect);
  }
  return result;
}
