import type { DiskIndex } from './disk-index.ts';
import { storedBytes } from './pieces.ts';
import type { Place, SegmentLog } from './segment-log.ts';
import { word } from './slot-table.ts';
import type { StoreFile, StoreFiles } from './store-files.ts';

/** Rows looked at before others have their turn. */
const slice = 50_000;
/** Bytes read and written together. */
const batchBytes = 2 ** 20;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

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

async function runsIn({ index }: CleaningStore, segment: StoreFile): Promise<Run[]> {
  const runs: Run[] = [];
  const { table } = index;
  for (let slot = 0; slot < table.end; slot++) {
    if (slot % slice === slice - 1) await pause();
    if (!table.isUsed(slot)) continue;
    const serial = table.serial(slot);
    const length = table.contentLength(slot);
    if (table.get(slot, word.metaFile) === segment.number) {
      const { offset, bytes } = index.metaPlace(slot);
      runs.push({ slot, serial, what: 'meta', offset, bytes });
    }
    if (length > 0 && table.get(slot, word.contentFile) === segment.number) {
      const offset = table.get(slot, word.contentOffset);
      runs.push({ slot, serial, what: 'content', offset, bytes: storedBytes(length) });
    }
  }
  return runs.sort((a, b) => a.offset - b.offset);
}

function isStill({ index: { table } }: CleaningStore, segment: StoreFile, run: Run): boolean {
  const { slot, serial, what, offset } = run;
  const [file, at] =
    what === 'meta' ? [word.metaFile, word.metaOffset] : [word.contentFile, word.contentOffset];
  return (
    table.isUsed(slot) &&
    table.serial(slot) === serial &&
    table.get(slot, file) === segment.number &&
    table.get(slot, at) === offset
  );
}

/** Entries that have something in a segment. */
export async function slotsIn(store: CleaningStore, segment: StoreFile): Promise<ReadonlySet<number>> {
  const runs = await runsIn(store, segment);
  return new Set(runs.filter((run) => isStill(store, segment, run)).map(({ slot }) => slot));
}

async function copy(store: CleaningStore, segment: StoreFile, run: Run): Promise<void> {
  if (!isStill(store, segment, run)) return;
  const buffer = await store.files.read(segment, run.offset, run.bytes).catch(() => undefined);
  if (!isStill(store, segment, run)) return;
  // Not there or not to be read: it could not be served either.
  if (buffer?.length !== run.bytes) return store.lose(run.slot);
  const { file, offset }: Place = await store.log.append([buffer], run.bytes);
  file.holds--;
  if (!isStill(store, segment, run)) return;
  if (run.what === 'meta') store.index.moveMeta(run.slot, { file: file.number, offset, bytes: run.bytes });
  else store.index.moveContent(run.slot, file.number, offset);
}

/**
 * Copy what lives in a segment to where new entries go, and let the segment go once the copies and the index are on
 * disk. Bytes are copied as they are: damage is found when they are read. Rejects when they cannot be written.
 */
export async function cleanSegment(store: CleaningStore, segment: StoreFile): Promise<void> {
  const runs = segment.living > 0 ? await runsIn(store, segment) : [];
  for (let from = 0; from < runs.length; ) {
    let bytes = 0;
    const batch: Promise<void>[] = [];
    for (; from < runs.length && (batch.length === 0 || bytes < batchBytes); from++) {
      const run = runs[from] as Run;
      bytes += run.bytes;
      batch.push(copy(store, segment, run));
    }
    const failed = (await Promise.allSettled(batch)).find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  }
  if (runs.length > 0) await store.flush();
  store.files.doom(segment);
}
