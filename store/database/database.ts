import { Level } from 'level';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { SmallCompaction } from './compaction.ts';
import { eachOrStoreFault, levelFault, orStoreFault, storeFault } from './database-faults.ts';
import { damageIn, namesIn, noteClosed, noteOpened } from './files/database-files.ts';
import { notHeld, settleSalvage } from './salvage.ts';

export type Write =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'del'; readonly key: Uint8Array };

/** Keys in bytewise order; bounds left out are open. */
export interface KeyRange {
  readonly gt?: Uint8Array;
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  readonly lte?: Uint8Array;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** The reads of a database or of a snapshot of it. */
export interface DatabaseReader {
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  entries(range?: KeyRange): AsyncIterable<readonly [Uint8Array, Uint8Array]>;
  /** The same in batches: bulk reads then cost one promise per thousand entries. */
  entryBatches(range?: KeyRange): AsyncIterable<readonly (readonly [Uint8Array, Uint8Array])[]>;
  keys(range?: KeyRange): AsyncIterable<Uint8Array>;
  /** The entries from `gte` on below `lt` of many small ranges, by jumps: cheapest when they ascend. */
  entriesIn(
    ranges: readonly { readonly gte: Uint8Array; readonly lt: Uint8Array }[],
  ): Promise<readonly (readonly (readonly [Uint8Array, Uint8Array])[])[]>;
}

export interface DatabaseSnapshot extends DatabaseReader, AsyncDisposable {}

/** An ordered key-value store on disk. A batch is written as a whole or not at all, even if the process dies. */
export interface Database extends DatabaseReader, AsyncDisposable {
  readonly path: string;
  /** `sync` makes this batch and every earlier one survive a power cut, not only the death of the process. */
  batch(writes: readonly Write[], options?: { readonly sync?: boolean }): Promise<void>;
  /** The database as it is now, until disposed. */
  snapshot(): DatabaseSnapshot;
  /** Rewrite the files of a range where keys were deleted; may take long. */
  compact(range: { readonly gte: Uint8Array; readonly lt: Uint8Array }): Promise<void>;
}

const batchEntries = 1000;

/** Entries read at each jump: small ranges hold one or two. */
const jumpEntries = 4;

/** Iterators that jump at the same time, so that one wake-up serves several; fewer jumps use one iterator. */
const jumpers = 4;
const minJumps = 16;

type Bytes = Level<Uint8Array, Uint8Array>;
type Snapshot = ReturnType<Bytes['snapshot']>;

const sizeOf = (write: Write) => write.key.length + (write.type === 'put' ? write.value.length : 0);

/** After every key in use. */
const lastKey = Buffer.alloc(64, 255);

/** Read many small ranges with one iterator. */
async function jump(
  level: Bytes,
  from: { readonly snapshot?: Snapshot },
  ranges: Parameters<DatabaseReader['entriesIn']>[0],
): Promise<(readonly [Uint8Array, Uint8Array])[][]> {
  await using iterator = level.iterator({ ...from, highWaterMarkBytes: 1024 });
  const found: (readonly [Uint8Array, Uint8Array])[][] = [];
  for (const { gte, lt } of ranges) {
    const inside: (readonly [Uint8Array, Uint8Array])[] = [];
    found.push(inside);
    iterator.seek(gte);
    for (let more = true; more; ) {
      const entries = await iterator.nextv(jumpEntries);
      more = entries.length > 0;
      for (const entry of entries) {
        if (Buffer.compare(entry[0], lt) < 0) inside.push(entry);
        else more = false;
      }
    }
  }
  // LevelDB skips a damaged block, and reports it only where an iterator ends.
  iterator.seek(lastKey);
  await iterator.nextv(1);
  return found;
}

function reader(level: Bytes, path: string, snapshot?: Snapshot): DatabaseReader {
  const from = snapshot === undefined ? {} : { snapshot };
  return {
    get: (key) => orStoreFault(path, level.get(key, from)),
    getMany: (keys) => orStoreFault(path, level.getMany([...keys], from)),
    entries: (range = {}) => eachOrStoreFault(path, level.iterator({ ...range, ...from })),
    entryBatches: async function* (range = {}) {
      await using iterator = level.iterator({ ...range, ...from });
      for (;;) {
        const entries = await orStoreFault(path, iterator.nextv(batchEntries));
        if (entries.length === 0) return;
        yield entries;
      }
    },
    keys: (range = {}) => eachOrStoreFault(path, level.keys({ ...range, ...from })),
    entriesIn: async (ranges) => {
      const part = Math.ceil(ranges.length / jumpers);
      const parts = Array.from({ length: part < minJumps ? 1 : jumpers }, (_, i) =>
        part < minJumps ? ranges : ranges.slice(i * part, (i + 1) * part),
      );
      return (await orStoreFault(path, Promise.all(parts.map((own) => jump(level, from, own))))).flat();
    },
  };
}

/**
 * Open a LevelDB database, made if missing. Its logs are read first, because LevelDB skips what is damaged in them.
 * Throws STORE_LOCKED, STORE_DAMAGED, STORE_FULL and STORE_UNREADABLE.
 */
export async function openDatabase(
  path: string,
  options: { readonly cacheBytes?: number } = {},
): Promise<Database> {
  let level: Bytes;
  try {
    await settleSalvage(path);
    const reason = await damageIn(path);
    if (reason !== undefined) {
      await notHeld(path);
      throw failure(storeErrors.STORE_DAMAGED, { path, reason });
    }
    await noteOpened(path);
    // It opens itself soon after it is made.
    level = new Level(path, {
      keyEncoding: 'view',
      valueEncoding: 'view',
      cacheSize: options.cacheBytes ?? 16 * 1024 * 1024,
      writeBufferSize: 8 * 1024 * 1024,
    });
    await level.open();
  } catch (cause) {
    throw openingFault(cause, path, (await namesIn(path).catch(() => [])).length > 0);
  }
  const compact: Database['compact'] = ({ gte, lt }) =>
    (level as unknown as { compactRange(from: Uint8Array, to: Uint8Array): Promise<void> }).compactRange(
      gte,
      lt,
    );
  const compaction = new SmallCompaction(path, () => compact({ gte: new Uint8Array(), lt: lastKey }));
  return {
    ...reader(level, path),
    path,
    batch: async (writes, { sync = false } = {}) => {
      await orStoreFault(path, level.batch([...writes], { sync }));
      compaction.wrote(writes.reduce((sum, write) => sum + sizeOf(write), 0));
    },
    snapshot: () => {
      const snapshot = level.snapshot();
      return { ...reader(level, path, snapshot), [Symbol.asyncDispose]: () => snapshot.close() };
    },
    compact,
    [Symbol.asyncDispose]: async () => {
      await compaction.ended();
      // Under the lock, since another process may open it at once; a full disk must not keep it from closing.
      if (level.status === 'open') await noteClosed(path).catch(() => undefined);
      await level.close();
    },
  };
}

/** The typed error for one that a database met while it was opened. */
function openingFault(cause: unknown, path: string, isDatabase: boolean): unknown {
  if (levelFault(cause, 'LEVEL_LOCKED') !== undefined)
    return failure(storeErrors.STORE_LOCKED, { path, pid: undefined, role: undefined }, cause);
  const fault = storeFault(cause, path);
  if (isGarnerError(fault) && !isGarnerError(fault, storeErrors.STORE_REFUSED)) {
    // Without CURRENT there is no database: its folder cannot be made.
    if (!isGarnerError(fault, storeErrors.STORE_DAMAGED) || isDatabase) return fault;
  }
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return failure(storeErrors.STORE_UNREADABLE, { path, reason }, cause);
}

/** A part of a database under its own prefix; its keys are seen without the prefix. */
export function within(database: Database, name: string): Database {
  const prefix = Buffer.from(`${name}!`);
  // '"' is the byte after '!': every key under the prefix is below it.
  const end = Buffer.from(`${name}"`);
  const full = (key: Uint8Array) => Buffer.concat([prefix, key]);
  const own = (key: Uint8Array) => key.subarray(prefix.length);
  const bounds = ({ gt, gte, lt, lte, ...rest }: KeyRange): KeyRange => ({
    ...rest,
    ...(gt !== undefined ? { gt: full(gt) } : { gte: full(gte ?? new Uint8Array()) }),
    ...(lte !== undefined ? { lte: full(lte) } : { lt: lt === undefined ? end : full(lt) }),
  });
  const part = (from: DatabaseReader): DatabaseReader => ({
    get: (key) => from.get(full(key)),
    getMany: (keys) => from.getMany(keys.map(full)),
    entries: async function* (range = {}) {
      for await (const [key, value] of from.entries(bounds(range))) yield [own(key), value];
    },
    entryBatches: async function* (range = {}) {
      for await (const entries of from.entryBatches(bounds(range)))
        yield entries.map(([key, value]) => [own(key), value] as const);
    },
    keys: async function* (range = {}) {
      for await (const key of from.keys(bounds(range))) yield own(key);
    },
    entriesIn: async (ranges) => {
      const found = await from.entriesIn(ranges.map(({ gte, lt }) => ({ gte: full(gte), lt: full(lt) })));
      return found.map((entries) => entries.map(([key, value]) => [own(key), value] as const));
    },
  });
  return {
    ...part(database),
    path: `${database.path}#${name}`,
    batch: (writes, options) =>
      database.batch(
        writes.map((write) => ({ ...write, key: full(write.key) })),
        options,
      ),
    snapshot: () => {
      const snapshot = database.snapshot();
      return { ...part(snapshot), [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose]() };
    },
    compact: ({ gte, lt }) => database.compact({ gte: full(gte), lt: full(lt) }),
    [Symbol.asyncDispose]: async () => {},
  };
}
