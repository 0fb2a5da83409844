import type { Lsn } from '../../../awareness/index.ts';
import { failure } from '../../../kernel/index.ts';
import { defaultLanguage, type Language } from '../../../query/index.ts';
import { engineErrors } from '../errors.ts';
import { stateKey } from './index-keys.ts';
import type { PostingRows, PostingWrite } from './posting-database.ts';

/** Postings written together. Segments are in docno order and do not overlap. */
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

/** The numbers of objects and tokens of a field, for the average length. */
export interface FieldLength {
  readonly objects: number;
  readonly tokens: number;
}

/**
 * One moment of an index: one small record with all data for opening it, written with every change. A change
 * makes a new one. A search keeps the one with which it began.
 */
export interface SegmentedMoment {
  /** Changed with every change of analysis or layout. An index of another layout is rebuilt. */
  readonly layout: string;
  readonly lsn: Lsn;
  /** Living objects. */
  readonly count: number;
  readonly nextDocno: number;
  readonly nextSegment: number;
  readonly segments: readonly Segment[];
  /** Segments whose keys are still to be deleted: merged, or never finished. */
  readonly garbage: readonly number[];
  /** The length of each field; empty where contents do not rank. */
  readonly lengths: readonly FieldLength[];
  /** Living objects by language. */
  readonly languages: Readonly<Partial<Record<Language, number>>>;
  /** The language of objects that do not name theirs. */
  readonly fallback: Language;
  /** An interrupted clearing: all other keys are deleted before the index is used again. */
  readonly clearing: boolean;
}

// Docnos are assigned once; those of deleted objects are not reused. Lists of chunks and sets of bits grow
// with them, by 1 to 2 bytes for 16 docnos.
const deadPerObject = 64;
const sparseFrom = 2 ** 24;
const maxDocnos = 2 ** 28;

/** Whether an index has so many docnos of deleted objects that it is refilled when it is opened. */
const isSparse = ({ nextDocno, count }: Pick<SegmentedMoment, 'nextDocno' | 'count'>): boolean =>
  nextDocno > sparseFrom + deadPerObject * count;

/** Restart an index that is never reopened before its docnos run out. Throws ENGINE_DAMAGED for that. */
export function demandDocnos({ nextDocno, count }: Pick<SegmentedMoment, 'nextDocno' | 'count'>): void {
  if (nextDocno > maxDocnos + deadPerObject * count)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'the numbers of its objects are used up' });
}

export const emptyMoment = ({
  layout,
  fallback,
}: Pick<SegmentedMoment, 'layout' | 'fallback'>): SegmentedMoment => ({
  ...{ layout, lsn: 0, count: 0, nextDocno: 1, nextSegment: 1 },
  ...{ segments: [], garbage: [], lengths: [], languages: {}, fallback, clearing: false },
});

/**
 * The stored moment. An index of another layout or fallback, or an unreadable one, is marked for clearing.
 * Without a given language the stored fallback is used.
 */
export async function loadMoment(
  database: PostingRows,
  layout: string,
  language: Language | undefined,
): Promise<SegmentedMoment> {
  const empty = emptyMoment({ layout, fallback: language ?? defaultLanguage });
  const value = await database.get(stateKey);
  // Keys without a state come from damage or another program. Their meaning is unknown.
  if (value === undefined) return { ...empty, clearing: await hasKeys(database) };
  try {
    const stored = JSON.parse(Buffer.from(value).toString()) as SegmentedMoment;
    const suits = language === undefined || stored.fallback === language;
    if (stored.layout === layout && suits && !isSparse(stored)) return stored;
  } catch {
    // Start a fresh index: an unreadable one can be rebuilt and costs only time.
  }
  return { ...empty, clearing: true };
}

async function hasKeys(database: PostingRows): Promise<boolean> {
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

/** Counts of objects by language, with some added (1) or removed (-1). Empty languages are dropped. */
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
