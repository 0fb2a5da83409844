import {
  bytesOfHandle,
  type Entry,
  type Epoch,
  type Handle,
  handleOf,
  handlesOf,
  type ShortId,
} from '../../awareness/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { type SetRows, shortIdIn } from './set-rows.ts';

/** The rows that begin with a handle: its OID has 16 more bytes. */
function oidsOf(handle: Handle): readonly [Uint8Array, Uint8Array | undefined] {
  const first = bytesOfHandle(handle);
  const end = Buffer.from(first);
  for (let i = end.length - 1; i >= 0; i--) {
    end[i] = ((end[i] as number) + 1) & 0xff;
    if (end[i] !== 0) return [first, end];
  }
  return [first, undefined];
}

/** The first 20 bits of the OIDs with this name. */
function beginningOf(name: Handle | ShortId): number {
  return beginning(typeof name === 'string' ? bytesOfHandle(name) : handlesOf(name).first);
}

const beginning = (bytes: Uint8Array): number =>
  ((bytes[0] ?? 0) << 12) | ((bytes[1] ?? 0) << 4) | ((bytes[2] ?? 0) >>> 4);

const isNamed = (name: Handle | ShortId, entry: Entry, epoch: Epoch): boolean =>
  typeof name === 'string' ? handleOf(entry.oid) === name : shortIdIn(epoch, entry) === name;

/** Changes read at first, and at most together; the max number of latest changes that are read in all. */
const firstChanges = 64;
const maxTogether = 1024;
const maxChanges = 32_768;

/** Keys of the rows changed last, by the beginning of their OIDs: a row costs a fraction of a jump to it. */
class LatestChanges {
  readonly #reader: DatabaseReader;
  readonly #changes: NonNullable<SetRows['changes']>;
  readonly #keys = new Map<number, Uint8Array[]>();
  #before: Uint8Array | undefined;
  #read = 0;
  /** Whether reading more is not worthwhile. */
  over = false;

  constructor(reader: DatabaseReader, changes: NonNullable<SetRows['changes']>) {
    this.#reader = reader;
    this.#changes = changes;
  }

  at(place: number): readonly Uint8Array[] {
    return this.#keys.get(place) ?? [];
  }

  /** Read some more, the latest first; resolves to their number. */
  async readOn(): Promise<number> {
    const limit = Math.min(Math.max(firstChanges, this.#read), maxTogether);
    const { all, subject } = this.#changes;
    const range = { ...all, ...(this.#before && { lt: this.#before }), reverse: true, limit };
    let count = 0;
    for await (const rows of this.#reader.entryBatches(range))
      for (const [at, change] of rows) {
        this.#before = at;
        count++;
        const key = subject(change);
        if (key === undefined) continue;
        // The kind of the row comes before the OID.
        const place = beginning(key.subarray(1));
        const known = this.#keys.get(place);
        if (known === undefined) this.#keys.set(place, [key]);
        else known.push(key);
      }
    this.#read += count;
    this.over = count < limit || this.#read >= maxChanges;
    return count;
  }
}

/** By snapshot: names come in several calls. An entry outdated by a later change is found by a jump. */
const latest = new WeakMap<DatabaseReader, LatestChanges>();

/** Find recent changes and put them into `found`; reading ends where fewer than one in 100 was requested. */
async function findLatest(
  names: readonly (Handle | ShortId)[],
  reader: DatabaseReader,
  rows: SetRows,
  epoch: Epoch,
  found: (Entry | undefined)[],
): Promise<void> {
  if (rows.changes === undefined) return;
  const known = latest.get(reader) ?? new LatestChanges(reader, rows.changes);
  latest.set(reader, known);
  const tried = new Set<Uint8Array>();
  let left = names.length;
  for (let read = 0; ; ) {
    const candidates = names.flatMap((name, i) =>
      found[i] === undefined ? known.at(beginningOf(name)).map((key) => ({ name, i, key })) : [],
    );
    const fresh = candidates.filter(({ key }) => !tried.has(key));
    const values = await reader.getMany(fresh.map(({ key }) => key));
    let hits = 0;
    for (const [at, { name, i, key }] of fresh.entries()) {
      tried.add(key);
      const value = values[at];
      const entry = value === undefined ? undefined : rows.entry([key, value]);
      if (entry === undefined || found[i] !== undefined || !isNamed(name, entry, epoch)) continue;
      found[i] = entry;
      hits++;
    }
    left -= hits;
    if (read > 0 && hits * 100 < read) known.over = true;
    if (left === 0 || known.over) return;
    read = await known.readOn();
  }
}

/**
 * The entries of a set with these handles or short ids. A short id gives the place in the set: no second
 * index is needed, and each entry costs at most one jump of an iterator.
 */
export async function findEntries(
  names: readonly (Handle | ShortId)[],
  reader: DatabaseReader,
  rows: SetRows,
  epoch: Epoch,
): Promise<readonly (Entry | undefined)[]> {
  const found: (Entry | undefined)[] = names.map(() => undefined);
  await findLatest(names, reader, rows, epoch, found);
  const places = names.flatMap((_, i) => (found[i] === undefined ? [i] : []));
  if (places.length === 0) return found;
  const ranges = places.map((i) => {
    const name = names[i] as Handle | ShortId;
    if (typeof name === 'string') return rows.between(...oidsOf(name));
    const { first, end } = handlesOf(name);
    return rows.between(first, end);
  });
  const jumped = await reader.entriesIn(ranges);
  for (const [at, i] of places.entries())
    for (const row of jumped[at] ?? []) {
      const entry = rows.entry(row);
      if (isNamed(names[i] as Handle | ShortId, entry, epoch)) found[i] = entry;
    }
  return found;
}
