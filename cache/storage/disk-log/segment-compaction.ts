import type { DiskIndex } from '../disk-index/disk-index.ts';
import { word } from '../disk-index/slot-table.ts';
import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import { storedBytes } from '../model/content-blocks.ts';
import { inSlices } from '../model/yield-to-event-loop.ts';
import type { SegmentLog } from './segment-log.ts';

/** Rows looked at before others have their turn. */
const slice = 20_000;
/** Bytes of a segment that are read with one call and written together. */
const windowBytes = 2 ** 20;
/** Records copied before others have their turn. */
const copiedTogether = 1000;

export interface CleaningStore {
  readonly index: DiskIndex;
  readonly files: StoreFiles;
  readonly log: SegmentLog;
  /** What the index was told is on disk when this resolves. */
  readonly flush: () => Promise<void>;
  readonly lose: (slot: number) => void;
}

/** A run of bytes of a segment that an entry uses. */
interface Run {
  readonly slot: number;
  readonly serial: number;
  readonly what: 'meta' | 'content';
  readonly offset: number;
  readonly bytes: number;
}

/** What an entry has in a segment now; undefined when nothing of that kind. */
function runOf(
  { index }: Pick<CleaningStore, 'index'>,
  segment: StoreFile,
  slot: number,
  what: Run['what'],
): Run | undefined {
  const { table } = index;
  if (!table.isUsed(slot)) return undefined;
  const serial = table.serial(slot);
  if (what === 'meta') {
    const { file, offset, bytes } = index.metaPlace(slot);
    return file === segment.number ? { slot, serial, what, offset, bytes } : undefined;
  }
  const { file, offset, length } = index.contentPlace(slot);
  if (length === 0 || file !== segment.number) return undefined;
  return { slot, serial, what, offset, bytes: storedBytes(length) };
}

/** By the window of the segment that it begins in, who has a head there (slot * 2) or a content (slot * 2 + 1). */
async function windowsOf({ index }: Pick<CleaningStore, 'index'>, segment: StoreFile): Promise<number[][]> {
  const windows: number[][] = [];
  const note = (offset: number, which: number) => {
    const at = Math.floor(offset / windowBytes);
    while (windows.length <= at) windows.push([]);
    (windows[at] as number[]).push(which);
  };
  const { table } = index;
  const looked = (slot: number) => {
    if (!table.isUsed(slot)) return;
    if (table.get(slot, word.metaFile) === segment.number) note(table.get(slot, word.metaOffset), slot * 2);
    if (table.get(slot, word.contentFile) === segment.number && table.contentLength(slot) > 0)
      note(table.get(slot, word.contentOffset), slot * 2 + 1);
  };
  await inSlices(() => table.end, slice, looked);
  return windows;
}

/** What still lives of a window, in the order it lies there. */
function runsIn(store: Pick<CleaningStore, 'index'>, segment: StoreFile, window: readonly number[]): Run[] {
  return window
    .map((which) => runOf(store, segment, which >>> 1, which % 2 === 0 ? 'meta' : 'content'))
    .filter((run) => run !== undefined)
    .sort((a, b) => a.offset - b.offset);
}

const isStill = (store: CleaningStore, segment: StoreFile, { slot, serial, what, offset }: Run) => {
  const now = runOf(store, segment, slot, what);
  return now?.serial === serial && now.offset === offset;
};

/** Entries that have something in a segment, or in these bytes of it. */
export async function slotsIn(
  store: Pick<CleaningStore, 'index'>,
  segment: StoreFile,
  { from, end } = { from: 0, end: Number.POSITIVE_INFINITY },
): Promise<ReadonlySet<number>> {
  const windows = await windowsOf(store, segment);
  const runs = windows.flatMap((window) => runsIn(store, segment, window));
  return new Set(
    runs.filter((run) => run.offset < end && run.offset + run.bytes > from).map(({ slot }) => slot),
  );
}

/** `buffer`: the bytes of the run, when they could be read. */
async function copy(
  store: CleaningStore,
  segment: StoreFile,
  run: Run,
  buffer: Buffer | undefined,
): Promise<void> {
  if (!isStill(store, segment, run)) return;
  // Not there or not to be read: it could not be served either.
  if (buffer?.length !== run.bytes) return store.lose(run.slot);
  const { file, offset } = await store.log.append([buffer], run.bytes, true);
  file.holds--;
  if (!isStill(store, segment, run)) return;
  if (run.what === 'meta') store.index.moveMeta(run.slot, { file: file.number, offset, bytes: run.bytes });
  else store.index.moveContent(run.slot, file.number, offset);
}

/** Copy runs that lie near each other, read with one call; where that fails each is read by itself. */
async function copyTogether(store: CleaningStore, segment: StoreFile, runs: readonly Run[]): Promise<void> {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return;
  const read = (from: number, bytes: number) => store.files.read(segment, from, bytes).catch(() => undefined);
  const all = await read(first.offset, last.offset + last.bytes - first.offset);
  const copied = await Promise.allSettled(
    runs.map(async (run) => {
      const at = run.offset - first.offset;
      const bytes = all?.subarray(at, at + run.bytes) ?? (await read(run.offset, run.bytes));
      await copy(store, segment, run, bytes);
    }),
  );
  const failed = copied.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

/**
 * Copy what lives in a segment to where new entries go, and let the segment go once the copies and the index are on
 * disk. Bytes are copied as they are: damage is found when they are read. Rejects when they cannot be written.
 */
export async function cleanSegment(store: CleaningStore, segment: StoreFile): Promise<void> {
  const windows = segment.living > 0 ? await windowsOf(store, segment) : [];
  for (const window of windows)
    for (let from = 0; from < window.length; from += copiedTogether)
      await copyTogether(store, segment, runsIn(store, segment, window.slice(from, from + copiedTogether)));
  if (windows.length > 0) await store.flush();
  store.files.doom(segment);
}
