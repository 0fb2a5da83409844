import type { Lsn } from '../../../awareness/index.ts';
import { defaultLanguage, type Language } from '../../../query/index.ts';
import { isSparse } from './docno-space.ts';
import { stateKey } from './index-keys.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';

/** Postings written together; segments are in docno order and do not overlap. */
export interface Segment {
  readonly id: number;
  /** First and last docno of its objects. */
  readonly from: number;
  readonly to: number;
  /** Objects written, and how many of them died since. */
  readonly docs: number;
  readonly dead: number;
  /** Bytes of its values, as written. */
  readonly bytes: number;
}

/** How many objects and tokens a field has seen, for the average length. */
export interface FieldLength {
  readonly objects: number;
  readonly tokens: number;
}

/**
 * One moment of an index, all that has to be known to open it: one small record, written with every change. A change makes
 * a new one; a search keeps the one it began with.
 */
export interface SegmentedMoment {
  /** Raised, or otherwise changed, whenever analysis or layout change: an index of another layout is built anew. */
  readonly layout: string;
  readonly lsn: Lsn;
  /** Objects that are alive. */
  readonly count: number;
  readonly nextDocno: number;
  readonly nextSegment: number;
  readonly segments: readonly Segment[];
  /** Segments whose keys are still to be deleted: merged away, or never finished. */
  readonly garbage: readonly number[];
  /** What was seen of each field; empty where contents do not rank. */
  readonly lengths: readonly FieldLength[];
  /** How many living objects are in each language. */
  readonly languages: Readonly<Partial<Record<Language, number>>>;
  /** The language of objects that tell none. */
  readonly fallback: Language;
  /** A clearing that was begun: all other keys go before the index is used again. */
  readonly clearing: boolean;
}

/** Of an index that has just been made. */
export const emptyMoment = ({
  layout,
  fallback,
}: Pick<SegmentedMoment, 'layout' | 'fallback'>): SegmentedMoment => ({
  ...{ layout, lsn: 0, count: 0, nextDocno: 1, nextSegment: 1 },
  ...{ segments: [], garbage: [], lengths: [], languages: {}, fallback, clearing: false },
});

/**
 * The stored moment; an index of another layout or fallback, or one that cannot be read, is one to be cleared. Without a
 * language the fallback is as it is.
 */
export async function loadMoment(
  database: PostingDatabase,
  layout: string,
  language: Language | undefined,
): Promise<SegmentedMoment> {
  const empty = emptyMoment({ layout, fallback: language ?? defaultLanguage });
  const value = await database.get(stateKey);
  // Keys without a state are what damage left, or another program: nothing tells what they are.
  if (value === undefined) return { ...empty, clearing: await hasKeys(database) };
  try {
    const stored = JSON.parse(Buffer.from(value).toString()) as SegmentedMoment;
    const suits = language === undefined || stored.fallback === language;
    if (stored.layout === layout && suits && !isSparse(stored)) return stored;
  } catch {
    // Falls through to a fresh index: it is rebuildable, so an unreadable one costs time only.
  }
  return { ...empty, clearing: true };
}

async function hasKeys(database: PostingDatabase): Promise<boolean> {
  for await (const _ of database.keys({ limit: 1 })) return true;
  return false;
}

export function momentWrite(moment: SegmentedMoment): PostingWrite {
  return { type: 'put', key: stateKey, value: Buffer.from(JSON.stringify(moment)) };
}

/** Segments with these docnos counted as dead. */
export function withDead(segments: readonly Segment[], docnos: Iterable<number>): Segment[] {
  const changed = segments.map((segment) => ({ ...segment }));
  for (const docno of docnos) {
    const segment = changed.find(({ from, to }) => from <= docno && docno <= to);
    if (segment !== undefined) segment.dead++;
  }
  return changed;
}

/** Counts of objects by language with some added (1) or taken away (-1); a language without any goes. */
export function countedLanguages(
  counts: SegmentedMoment['languages'],
  changes: Iterable<readonly [Language, 1 | -1]>,
): SegmentedMoment['languages'] {
  const changed = new Map(Object.entries(counts) as [Language, number][]);
  for (const [language, by] of changes) {
    const count = (changed.get(language) ?? 0) + by;
    if (count > 0) changed.set(language, count);
    else changed.delete(language);
  }
  return Object.fromEntries(changed);
}

/** The languages of an index's objects, the commonest first; of an empty one the fallback. */
export function presentLanguages({
  languages,
  fallback,
}: Pick<SegmentedMoment, 'languages' | 'fallback'>): readonly Language[] {
  const present = Object.entries(languages) as [Language, number][];
  if (present.length === 0) return [fallback];
  return present.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([language]) => language);
}
