import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { type Database, openDatabase, storeErrors } from '../../store/index.ts';
import { cacheErrors } from '../errors.ts';
import { cacheStoreTrouble } from '../events.ts';
import type { EvictionPolicy } from '../eviction/index.ts';
import { DiskCondition, freeOnDisk } from './disk-condition.ts';
import { DiskIndex } from './disk-index.ts';
import { DiskState } from './disk-state.ts';
import { DiskStore } from './disk-store.ts';
import type { EntryStoreOptions } from './entry-store-options.ts';
import { HotTier } from './hot-tier.ts';
import { Journal } from './journal.ts';
import { storedBytes } from './pieces.ts';
import { PurgeMarks } from './purge-marks.ts';
import { SegmentLog } from './segment-log.ts';
import { SlotTable, word } from './slot-table.ts';
import { StoreFiles } from './store-files.ts';

/** As for any store, but that there is a folder. */
export type DiskStoreOptions = EntryStoreOptions & { readonly folder: string };

/** What was committed is on disk so long after at the latest. */
const syncMs = 1000;

const smallestSegment = 64 * 1024;
const largestSegment = 256 * 2 ** 20;
/** Segments of a full store, about. */
const segments = 128;

/** The purges in force; being LevelDB's, it also keeps other processes out of the folder. */
async function openPurges(folder: string): Promise<{ database: Database; isNew: boolean }> {
  const path = join(folder, 'purges');
  const options = { cacheBytes: 64 * 1024 };
  try {
    return { database: await openDatabase(path, options), isNew: false };
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

/** Rows whose bytes are not where they should be leave. */
function dropLost(table: SlotTable, files: StoreFiles, journal: Journal): void {
  const isIn = (number: number, offset: number, bytes: number) => {
    const file = files.get(number);
    return file !== undefined && offset + bytes <= file.bytes;
  };
  for (let slot = 0; slot < table.end; slot++) {
    if (!table.isUsed(slot)) continue;
    const length = table.contentLength(slot);
    const [meta, content] = [table.get(slot, word.metaFile), table.get(slot, word.contentFile)];
    files.useNoLonger(Math.max(meta, content));
    if (
      isIn(meta, table.get(slot, word.metaOffset), table.get(slot, word.metaBytes)) &&
      (length === 0 || isIn(content, table.get(slot, word.contentOffset), storedBytes(length)))
    )
      continue;
    table.release(slot);
    journal.append(slot);
  }
}

/** Tell the policy of every entry, those stored first first. */
function tellPolicy(policy: EvictionPolicy, index: DiskIndex): void {
  const { table } = index;
  const slots: number[] = [];
  for (let slot = 0; slot < table.end; slot++) if (table.isUsed(slot)) slots.push(slot);
  slots.sort((a, b) => table.serial(a) - table.serial(b));
  for (const slot of slots) policy.added(slot, index.bytes(slot), table.get(slot, word.hashLow));
}

function largestOf(table: SlotTable, of: (slot: number) => number): number {
  let largest = 0;
  for (let slot = 0; slot < table.end; slot++) if (table.isUsed(slot)) largest = Math.max(largest, of(slot));
  return largest;
}

/** Open the store in a folder, made if missing. Throws STORE_LOCKED, CACHE_STORE_FAILED. */
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
    const reason = error instanceof Error ? error.message : String(error);
    throw failure(cacheErrors.CACHE_STORE_FAILED, { path: folder, reason }, error);
  }
}

async function openWith(
  options: DiskStoreOptions,
  { database, isNew }: { readonly database: Database; readonly isNew: boolean },
): Promise<DiskStore> {
  const { folder, diskBytes, clock, random, free = freeOnDisk } = options;
  const files = new StoreFiles(folder);
  await files.list();
  const table = new SlotTable();
  const seed = Buffer.from(random.bytes(8));
  const { journal, damaged } = await Journal.open(folder, table, [
    seed.readUInt32LE(0),
    seed.readUInt32LE(4),
  ]);
  const lastSerial = largestOf(table, (slot) => table.serial(slot));
  dropLost(table, files, journal);
  const latestMark = largestOf(table, (slot) => table.get(slot, word.mark));
  const marks = await readMarks(database, latestMark);
  // What was purged and not swept yet is unknown: everything is validated before it is used.
  if (isNew || marks === undefined)
    for (let slot = 0; slot < table.end; slot++) if (table.isUsed(slot)) table.invalidate(slot);
  if (isNew || marks === undefined || damaged > 0)
    cacheStoreTrouble.publish({ path: folder, reason: 'its journal or its list of purges is damaged' });
  const index = new DiskIndex(table, journal, files);
  for (const file of [...files.all]) if (file.living === 0) files.doom(file);
  const policy = options.policy();
  tellPolicy(policy, index);
  const condition = new DiskCondition({ budget: diskBytes, clock, free: () => free(folder) });
  await condition.look(() => files.usedBytes + journal.bytes);
  const segmentBytes = () =>
    Math.min(Math.max(Math.floor(condition.usable / segments), smallestSegment), largestSegment);
  const state = new DiskState({
    ...{ folder, index, files, journal, policy, clock, condition },
    largestEntryBytes: options.largestEntryBytes,
    log: new SegmentLog(files, segmentBytes),
    hot: new HotTier(options.memoryBytes, options.policy()),
    marks: marks ?? (await PurgeMarks.anew(database, latestMark)),
    lastSerial,
  });
  const stopped = new AbortController();
  const syncing = syncRegularly(state, stopped.signal);
  return new DiskStore(state, async () => {
    stopped.abort();
    await syncing;
    await journal.close();
    await files.close();
    await database[Symbol.asyncDispose]();
  });
}

async function syncRegularly(state: DiskState, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // While the disk refuses, what is tried again may be the whole index.
    const wait = state.condition.pauseMs > 0 ? state.condition.pauseMs : syncMs;
    await state.clock.sleep(wait, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await state.sync();
    } catch (error) {
      state.trouble(error);
    }
    await state.fitDisk().catch(() => undefined);
  }
}
