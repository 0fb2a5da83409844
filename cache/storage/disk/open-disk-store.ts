import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, inSlices, isGarnerError } from '../../../kernel/index.ts';
import { type Database, openDatabase, storeErrors } from '../../../store/index.ts';
import { storeFailed } from '../../errors.ts';
import { cacheStoreTrouble } from '../../events.ts';
import { DiskIndex } from '../disk-index/disk-index.ts';
import { EvictionSnapshot } from '../disk-index/eviction-snapshot.ts';
import { Journal } from '../disk-index/journal.ts';
import { PurgeMarks } from '../disk-index/purge-marks.ts';
import { SlotTable, word } from '../disk-index/slot-table.ts';
import { LogTail } from '../disk-log/log-tail.ts';
import { SegmentLog } from '../disk-log/segment-log.ts';
import { StoreFiles } from '../files/store-files.ts';
import { storedBytes } from '../model/content-blocks.ts';
import { DiskCondition, freeOnDisk } from '../model/disk-condition.ts';
import type { EntryStoreOptions } from '../model/entry.ts';
import { DiskState } from './disk-state.ts';
import { DiskStore } from './disk-store.ts';
import { HotTier } from './hot-tier.ts';

export type DiskStoreOptions = EntryStoreOptions & Required<Pick<EntryStoreOptions, 'folder' | 'policy'>>;

/** Max time until a commit is on disk, in milliseconds. */
const syncMs = 1000;
/** Interval of writing the order of recent use, in milliseconds. */
const snapshotMs = 600_000;
/** Rows per slice between yields to the event loop. */
const slice = 20_000;

const minSegmentBytes = 64 * 1024;
const maxSegmentBytes = 256 * 2 ** 20;
/** 1/8 of the memory, up to a max size, holds the bytes written last. */
const tailPart = 8;
const maxTailBytes = 64 * 2 ** 20;
/** The approximate number of segments in a full store. */
const segments = 128;

/** The active purges; the lock of this LevelDB database also keeps other processes out of the folder. */
async function openPurges(folder: string): Promise<{ database: Database; isNew: boolean }> {
  const path = join(folder, 'purges');
  const options = { cacheBytes: 64 * 1024 };
  const isNew = (await stat(join(path, 'CURRENT')).catch(() => undefined)) === undefined;
  try {
    return { database: await openDatabase(path, options), isNew };
  } catch (error) {
    if (isGarnerError(error, storeErrors.STORE_LOCKED))
      throw failure(storeErrors.STORE_LOCKED, { path: folder, pid: undefined, role: undefined }, error);
    await rm(path, { recursive: true, force: true });
    return { database: await openDatabase(path, options), isNew: true };
  }
}

async function readMarks(database: Database, leastLatest: number): Promise<PurgeMarks | undefined> {
  try {
    return await PurgeMarks.open(database, leastLatest);
  } catch {
    return undefined;
  }
}

/** The highest numbers in a table. */
interface Found {
  readonly lastSerial: number;
  readonly latestMark: number;
}

/** Remove rows whose bytes are missing, and reserve every file number that a row has. */
async function dropLost(table: SlotTable, files: StoreFiles, journal: Journal): Promise<Found> {
  let [lastSerial, latestMark] = [0, 0];
  const isIn = (number: number, offset: number, bytes: number) => {
    const file = files.get(number);
    return file !== undefined && offset + bytes <= file.bytes;
  };
  const look = (slot: number) => {
    if (!table.isUsed(slot)) return;
    lastSerial = Math.max(lastSerial, table.serial(slot));
    const length = table.contentLength(slot);
    const [meta, content] = [table.get(slot, word.metaFile), table.get(slot, word.contentFile)];
    files.useNoLonger(Math.max(meta, content));
    if (
      isIn(meta, table.get(slot, word.metaOffset), table.get(slot, word.metaBytes)) &&
      (length === 0 || isIn(content, table.get(slot, word.contentOffset), storedBytes(length)))
    ) {
      latestMark = Math.max(latestMark, table.get(slot, word.mark));
      return;
    }
    table.release(slot);
    journal.append(slot);
  };
  await inSlices(() => table.end, slice, look);
  return { lastSerial, latestMark };
}

/** Open the store in a folder, created if missing. Rejects with STORE_LOCKED, CACHE_STORE_FAILED. */
export async function openDiskStore(options: DiskStoreOptions): Promise<DiskStore> {
  const { folder } = options;
  let database: Database | undefined;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const purges = await openPurges(folder);
    database = purges.database;
    return await openWith(options, purges);
  } catch (error) {
    await database?.[Symbol.asyncDispose]();
    if (isGarnerError(error)) throw error;
    throw storeFailed(folder, error);
  }
}

interface Purges {
  readonly database: Database;
  readonly isNew: boolean;
}

async function openWith(options: DiskStoreOptions, purges: Purges): Promise<DiskStore> {
  const { folder, random, calls } = options;
  const files = new StoreFiles(folder, calls);
  await files.list();
  const table = new SlotTable();
  const seed = Buffer.from(random.bytes(8));
  const seeds = [seed.readUInt32LE(0), seed.readUInt32LE(4)] as const;
  const { journal, damaged } = await Journal.open(folder, table, seeds);
  files.beforeRemoval = () => journal.written();
  try {
    return await openIndexed(options, { ...purges, files, table, journal, damaged });
  } catch (error) {
    await journal.close().catch(() => undefined);
    throw error;
  }
}

/** Open with the table that the journal restored. */
async function openIndexed(
  options: DiskStoreOptions,
  opened: Purges & {
    readonly files: StoreFiles;
    readonly table: SlotTable;
    readonly journal: Journal;
    readonly damaged: number;
  },
): Promise<DiskStore> {
  const { folder, diskBytes, clock, free = freeOnDisk } = options;
  const { database, isNew, files, table, journal, damaged } = opened;
  const { lastSerial, latestMark } = await dropLost(table, files, journal);
  const marks = await readMarks(database, latestMark);
  // Which purges were not swept yet is unknown: everything is validated before use.
  const isLost = table.size > 0 && (isNew || marks === undefined);
  if (isLost) {
    journal.distrust();
    await journal.written();
  }
  if (isLost || damaged > 0)
    cacheStoreTrouble.publish({ path: folder, reason: 'its journal or its list of purges is damaged' });
  const index = await DiskIndex.of(table, journal, files);
  for (const file of [...files.all]) if (file.living === 0) files.doom(file);
  const policy = options.policy();
  const snapshot = new EvictionSnapshot(folder);
  await snapshot.restore({ policy, index, header: journal.header });
  const condition = new DiskCondition({ budget: diskBytes, clock, free: () => free(folder) });
  await condition.look(() => files.usedBytes + journal.bytes);
  const segmentBytes = () =>
    Math.min(Math.max(Math.floor(condition.usable / segments), minSegmentBytes), maxSegmentBytes);
  const tail = new LogTail(Math.min(Math.floor(options.memoryBytes / tailPart), maxTailBytes));
  const log = new SegmentLog(files, segmentBytes, tail);
  // The waiting callers got the error; lost entries are removed already.
  const written = () => log.written().catch(() => undefined);
  files.beforeReading = written;
  journal.beforeWriting = written;
  const state = new DiskState({
    ...{ folder, index, files, journal, policy, clock, condition, snapshot, tail },
    largestEntryBytes: options.largestEntryBytes,
    log,
    hot: new HotTier(options.memoryBytes - tail.budget, options.policy()),
    marks: marks ?? (await PurgeMarks.reset(database, latestMark)),
    lastSerial,
  });
  const stopped = new AbortController();
  const syncing = syncRegularly(state, stopped.signal);
  return new DiskStore(state, async () => {
    stopped.abort();
    await syncing;
    await state.writeSnapshot().catch(() => undefined);
    await journal.close();
    await files.close();
    await database[Symbol.asyncDispose]();
  });
}

async function syncRegularly(state: DiskState, signal: AbortSignal): Promise<void> {
  let since = 0;
  while (!signal.aborted) {
    // While the disk refuses writes, each retry may write the whole index.
    const wait = state.condition.pauseMs > 0 ? state.condition.pauseMs : syncMs;
    await state.clock.sleep(wait, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await state.sync();
    } catch (error) {
      state.trouble(error);
    }
    await state.fitDisk().catch(() => undefined);
    since += wait;
    if (since < snapshotMs || signal.aborted || state.condition.pauseMs > 0) continue;
    since = 0;
    await state.writeSnapshot(signal).catch((error: unknown) => state.trouble(error));
  }
}
