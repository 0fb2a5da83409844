import { inSlices } from '../../../kernel/index.ts';
import type { DiskIndex } from '../disk-index/disk-index.ts';
import { word } from '../disk-index/slot-table.ts';
import type { StoreFile, StoreFiles } from '../files/store-files.ts';
import { storedBytes } from '../model/content-blocks.ts';
import type { SegmentLog } from './segment-log.ts';

/** Rows per slice between yields to the event loop. */
const slice = 20_000;
/** Bytes of a segment that are read with one call and written together. */
const windowBytes = 2 ** 20;
/** Records copied between yields to the event loop. */
const copiedTogether = 1000;

export interface CleaningStore {
  readonly index: DiskIndex;
  readonly files: StoreFiles;
  readonly log: SegmentLog;
  /** Resolves when all changes of the index are on disk. */
  readonly flush: () => Promise<void>;
  readonly lose: (slot: number) => void;
}

/** Adjacent bytes of a segment that belong to an entry. */
interface Run {
  readonly slot: number;
  readonly serial: number;
  readonly part: 'meta' | 'content';
  readonly offset: number;
  readonly bytes: number;
}

/** An entry's present bytes of one kind in a segment; undefined when there are none. */
function runOf(
  { index }: Pick<CleaningStore, 'index'>,
  segment: StoreFile,
  slot: number,
  part: Run['part'],
): Run | undefined {
  const { table } = index;
  if (!table.isUsed(slot)) return undefined;
  const serial = table.serial(slot);
  if (part === 'meta') {
    const { file, offset, bytes } = index.metaPlace(slot);
    return file === segment.number ? { slot, serial, part, offset, bytes } : undefined;
  }
  const { file, offset, length } = index.contentPlace(slot);
  if (length === 0 || file !== segment.number) return undefined;
  return { slot, serial, part, offset, bytes: storedBytes(length) };
}

/** For each window of the segment, the entries with a head (slot * 2) or a content (slot * 2 + 1) that begins there. */
async function windowsOf({ index }: Pick<CleaningStore, 'index'>, segment: StoreFile): Promise<number[][]> {
  const windows: number[][] = [];
  const note = (offset: number, which: number) => {
    const at = Math.floor(offset / windowBytes);
    while (windows.length <= at) windows.push([]);
    (windows[at] as number[]).push(which);
  };
  const { table } = index;
  const look = (slot: number) => {
    if (!table.isUsed(slot)) return;
    if (table.get(slot, word.metaFile) === segment.number) note(table.get(slot, word.metaOffset), slot * 2);
    if (table.get(slot, word.contentFile) === segment.number && table.contentLength(slot) > 0)
      note(table.get(slot, word.contentOffset), slot * 2 + 1);
  };
  await inSlices(() => table.end, slice, look);
  return windows;
}

/** The living bytes of a window, in their order in the segment. */
function runsIn(store: Pick<CleaningStore, 'index'>, segment: StoreFile, window: readonly number[]): Run[] {
  return window
    .map((which) => runOf(store, segment, which >>> 1, which % 2 === 0 ? 'meta' : 'content'))
    .filter((run) => run !== undefined)
    .sort((a, b) => a.offset - b.offset);
}

const isStill = (store: CleaningStore, segment: StoreFile, { slot, serial, part, offset }: Run) => {
  const now = runOf(store, segment, slot, part);
  return now?.serial === serial && now.offset === offset;
};

/** Entries with bytes in a segment, or in this range of it. */
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

/** `buffer`: the bytes of the run, if they could be read. */
async function copy(
  store: CleaningStore,
  segment: StoreFile,
  run: Run,
  buffer: Buffer | undefined,
): Promise<void> {
  if (!isStill(store, segment, run)) return;
  // Bytes that cannot be read could not be served either.
  if (buffer?.length !== run.bytes) return store.lose(run.slot);
  const { file, offset } = await store.log.append([buffer], run.bytes, true);
  file.holds--;
  if (!isStill(store, segment, run)) return;
  if (run.part === 'meta') store.index.moveMeta(run.slot, { file: file.number, offset, bytes: run.bytes });
  else store.index.moveContent(run.slot, file.number, offset);
}

/** Copy runs that are near each other, read with one call; if that fails each is read separately. */
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
 * Copy the living records of a segment to the current one, and remove the segment once the copies and the index are on
 * disk. Bytes are copied without a check: damage is found when they are read. Rejects when they cannot be written.
 */
export async function cleanSegment(store: CleaningStore, segment: StoreFile): Promise<void> {
  const windows = segment.living > 0 ? await windowsOf(store, segment) : [];
  for (const window of windows)
    for (let from = 0; from < window.length; from += copiedTogether)
      await copyTogether(store, segment, runsIn(store, segment, window.slice(from, from + copiedTogether)));
  if (windows.length > 0) await store.flush();
  store.files.doom(segment);
}
