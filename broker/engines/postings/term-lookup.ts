import { blockKey, positionsKey, postingsKey } from '../index-database/index-keys.ts';
import type { PostingRows } from '../index-database/posting-database.ts';
import type { SegmentDirectory } from './segment-directory.ts';
import { findInBlock, type NumberedEntry, presentInBlock } from './term-block.ts';

type ManyRows = Pick<PostingRows, 'getMany'>;

export interface FoundTerm {
  readonly segment: number;
  readonly block: number;
  readonly entry: NumberedEntry;
}

/** Each segment's data of a term (its key), with one read of the database for all of them. */
export async function findTerm(
  database: ManyRows,
  segments: readonly number[],
  directoryOf: (segment: number) => Promise<SegmentDirectory>,
  key: Uint8Array,
): Promise<(FoundTerm | undefined)[]> {
  const directories = await Promise.all(segments.map(directoryOf));
  const blocks = directories.map((directory) => directory.blockOf(key));
  const values = await getSome(
    database,
    blocks.map((block, index) =>
      block === undefined ? undefined : blockKey(segments[index] as number, block),
    ),
  );
  return values.map((value, index) => {
    const entry = value && findInBlock(value, key);
    return entry && { segment: segments[index] as number, block: blocks[index] as number, entry };
  });
}

/** Which terms (their keys, ascending) some segment has, with one read of the database for each segment. */
export async function termsPresent(
  database: ManyRows,
  segments: readonly number[],
  directoryOf: (segment: number) => Promise<SegmentDirectory>,
  keys: readonly Uint8Array[],
): Promise<boolean[]> {
  const present = keys.map(() => false);
  for (const segment of segments) {
    const directory = await directoryOf(segment);
    const blocks = keys.map((key) => directory.blockOf(key));
    const wanted = [...new Set(blocks)].filter((block) => block !== undefined);
    const values = await database.getMany(wanted.map((block) => blockKey(segment, block)));
    for (const [at, block] of wanted.entries()) {
      const value = values[at];
      const [from, to] = [blocks.indexOf(block), blocks.lastIndexOf(block) + 1];
      if (value === undefined) continue;
      for (const [i, isThere] of presentInBlock(value, keys.slice(from, to)).entries())
        if (isThere) present[from + i] = true;
    }
  }
  return present;
}

export function postingsOfFound(
  database: ManyRows,
  found: readonly FoundTerm[],
): Promise<(Uint8Array | undefined)[]> {
  return rowsOf(database, found, 'postings', postingsKey);
}

/** The encoded positions of found terms; undefined where none are stored. */
export function positionsOfFound(
  database: ManyRows,
  found: readonly FoundTerm[],
): Promise<(Uint8Array | undefined)[]> {
  return rowsOf(database, found, 'positions', positionsKey);
}

async function rowsOf(
  database: ManyRows,
  found: readonly FoundTerm[],
  part: 'postings' | 'positions',
  keyOf: typeof postingsKey,
): Promise<(Uint8Array | undefined)[]> {
  const apart = await getSome(
    database,
    found.map(({ segment, block, entry }) =>
      entry[part] === undefined ? keyOf(segment, block, entry.number) : undefined,
    ),
  );
  return found.map(({ entry }, index) => entry[part] ?? apart[index]);
}

/** Many values at once. An undefined key has none. */
export async function getSome(
  database: ManyRows,
  keys: readonly (Uint8Array | undefined)[],
): Promise<(Uint8Array | undefined)[]> {
  const wanted = keys.filter((key) => key !== undefined);
  if (wanted.length === 0) return keys.map(() => undefined);
  const values = (await database.getMany(wanted)).values();
  return keys.map((key) => (key === undefined ? undefined : values.next().value));
}
