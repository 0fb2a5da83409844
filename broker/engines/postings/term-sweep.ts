import { failure } from '../../../kernel/index.ts';
import { decodePostings, type Postings } from '../codecs/posting-codec.ts';
import { engineErrors } from '../errors.ts';
import { blockKey, positionsKey, postingsKey, termKey, termOfKey } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SegmentDirectory } from './segment-directory.ts';
import { blockEntries, entriesInBlock, type NumberedEntry } from './term-block.ts';
import { getSome } from './term-lookup.ts';

/** Blocks in memory at a time, some 4 KiB each. */
const blocksAtOnce = 32;

export interface Sweep {
  readonly database: PostingDatabase;
  readonly segments: readonly (readonly [segment: Segment, directory: SegmentDirectory])[];
  readonly field: number;
  readonly terms: readonly string[];
  /** Called with a term's list in a segment. Returns true when its positions are wanted too. */
  readonly visit: (term: number, postings: Postings) => boolean;
  readonly positions?: (term: number, postings: Postings, value: Uint8Array) => void;
  readonly signal?: AbortSignal | undefined;
}

interface Wanted {
  readonly term: number;
  readonly key: Uint8Array;
}

interface Swept extends Wanted {
  readonly block: number;
  readonly entry: NumberedEntry;
}

/** Read the lists of many terms, with one read of each block. */
export async function sweepTerms(sweep: Sweep): Promise<void> {
  const wanted = sweep.terms.map((term, index): Wanted => ({ term: index, key: termKey(sweep.field, term) }));
  wanted.sort((a, b) => Buffer.compare(a.key, b.key));
  for (const [segment, directory] of sweep.segments) {
    const byBlock = new Map<number, Wanted[]>();
    for (const one of wanted) {
      const block = directory.blockOf(one.key);
      if (block === undefined) continue;
      const others = byBlock.get(block);
      if (others === undefined) byBlock.set(block, [one]);
      else others.push(one);
    }
    const blocks = [...byBlock];
    for (let at = 0; at < blocks.length; at += blocksAtOnce) {
      sweep.signal?.throwIfAborted();
      await sweepBlocks(sweep, segment, blocks.slice(at, at + blocksAtOnce));
    }
  }
}

async function sweepBlocks(
  { database, visit, positions }: Sweep,
  segment: Segment,
  blocks: readonly (readonly [number, readonly Wanted[]])[],
): Promise<void> {
  const values = await database.getMany(blocks.map(([block]) => blockKey(segment.id, block)));
  const found = blocks.flatMap(([block, wanted], index): Swept[] => {
    const entries = entriesInBlock(
      whole(values[index]),
      wanted.map(({ key }) => key),
    );
    return wanted.flatMap((one, order) => {
      const entry = entries[order];
      return entry === undefined ? [] : [{ ...one, block, entry }];
    });
  });
  const lists = await partOf(database, segment, found, 'postings', postingsKey);
  const more: { readonly swept: Swept; readonly postings: Postings }[] = [];
  for (const [index, swept] of found.entries()) {
    const postings = decodePostings(whole(lists[index]), segment.from);
    if (visit(swept.term, postings)) more.push({ swept, postings });
  }
  if (positions === undefined || more.length === 0) return;
  const places = await partOf(
    database,
    segment,
    more.map(({ swept }) => swept),
    'positions',
    positionsKey,
  );
  for (const [index, { swept, postings }] of more.entries())
    positions(swept.term, postings, whole(places[index]));
}

/** A part of each entry, from the block or from a row of its own. */
async function partOf(
  database: PostingDatabase,
  segment: Segment,
  found: readonly Swept[],
  part: 'postings' | 'positions',
  keyOf: typeof postingsKey,
): Promise<(Uint8Array | undefined)[]> {
  const apart = await getSome(
    database,
    found.map(({ block, entry }) =>
      entry[part] === undefined ? keyOf(segment.id, block, entry.number) : undefined,
    ),
  );
  return found.map(({ entry }, index) => entry[part] ?? apart[index]);
}

export interface RangeSweep extends Pick<Sweep, 'database' | 'segments' | 'signal'> {
  /** Terms visited in each segment at most; all of them when absent. */
  readonly max?: number;
}

/** Visit the lists of the terms with keys from `from` to `to`, inclusive, in each segment by key. */
export async function sweepRange(
  { database, segments, signal, max = Number.POSITIVE_INFINITY }: RangeSweep,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
  visit: (term: string, postings: Postings) => void,
): Promise<void> {
  for (const [segment, directory] of segments) {
    const last = directory.blockOf(to);
    if (last === undefined) continue;
    const first = directory.blockOf(from) ?? 0;
    let left = max;
    for (let at = first; at <= last && left > 0; at += blocksAtOnce) {
      signal?.throwIfAborted();
      const numbers = Array.from({ length: Math.min(blocksAtOnce, last + 1 - at) }, (_, index) => at + index);
      const values = await database.getMany(numbers.map((block) => blockKey(segment.id, block)));
      const all = numbers.flatMap((block, index) =>
        [...blockEntries(whole(values[index]), from)].flatMap((entry): Swept[] =>
          Buffer.compare(entry.key, to) > 0 ? [] : [{ term: 0, key: entry.key, block, entry }],
        ),
      );
      const found = all.slice(0, left);
      left -= found.length;
      const lists = await partOf(database, segment, found, 'postings', postingsKey);
      for (const [index, { key }] of found.entries())
        visit(termOfKey(key), decodePostings(whole(lists[index]), segment.from));
    }
  }
}

function whole<Value>(value: Value | undefined): Value {
  if (value === undefined) throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a row of a term is missing' });
  return value;
}
