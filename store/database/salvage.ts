import { access, type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { levelFault, storeFault } from './database-faults.ts';
import { isLog, isTable, namesIn } from './files/database-files.ts';
import { batchesIn } from './files/log-file.ts';
import { tableEntries } from './files/table-file.ts';

// A damaged database is made again from every entry whose checksum is correct. LevelDB's own repair does not compare
// checksums, so it would keep wrong values.

/** One version of a row as LevelDB stored it; `value` is absent in a deletion. */
interface Version {
  readonly key: Uint8Array;
  readonly sequence: number;
  readonly value: Uint8Array | undefined;
}

type Bytes = Level<Uint8Array, Uint8Array>;

const versionsAtOnce = 1000;

function numberAt(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let i = at, scale = 1; i < bytes.length && scale < 2 ** 35; i++, scale *= 128) {
    const byte = bytes[i] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: i + 1 };
  }
  return undefined;
}

/** The writes of one batch of a log: a sequence number, a count, then type, key and value of each. */
function* versionsOfBatch(batch: Buffer): Generator<Version> {
  if (batch.length < 12) return;
  let sequence = Number(batch.readBigUInt64LE(0));
  const bytesAt = (at: number) => {
    const length = numberAt(batch, at);
    if (length === undefined || length.next + length.value > batch.length) return undefined;
    const end = length.next + length.value;
    return { bytes: batch.subarray(length.next, end), next: end };
  };
  for (let at = 12; at < batch.length; sequence++) {
    const isPut = batch[at] === 1;
    const key = bytesAt(at + 1);
    const value = key && isPut ? bytesAt(key.next) : undefined;
    if (key === undefined || (isPut && value === undefined)) return;
    yield { key: key.bytes, sequence, value: value?.bytes };
    at = (value ?? key).next;
  }
}

async function* versionsOfTable(file: FileHandle): AsyncGenerator<Version> {
  for await (const entries of tableEntries(file))
    for (const [key, value] of entries) {
      if (key.length < 8) continue;
      const tag = key.readBigUInt64LE(key.length - 8);
      const isPut = (tag & 0xffn) === 1n;
      const sequence = Number(tag >> 8n);
      yield { key: key.subarray(0, key.length - 8), sequence, value: isPut ? value : undefined };
    }
}

/** Every version of every row that can be read. */
async function* versionsIn(path: string): AsyncGenerator<Version> {
  for (const name of await namesIn(path)) {
    if (!isLog(name) && !isTable(name)) continue;
    const file = await open(join(path, name));
    try {
      if (isTable(name)) yield* versionsOfTable(file);
      else for await (const batch of batchesIn(file)) if (batch !== undefined) yield* versionsOfBatch(batch);
    } finally {
      await file.close();
    }
  }
}

/** In the new database, until all is read: the sequence number, whether the row is there, and its value. */
const headBytes = 9;

function framed({ sequence, value }: Version): Uint8Array {
  const head = Buffer.alloc(headBytes);
  head.writeDoubleBE(sequence);
  head[8] = value === undefined ? 0 : 1;
  return Buffer.concat([head, value ?? Buffer.alloc(0)]);
}

const headOf = (row: Uint8Array) => Buffer.from(row.buffer, row.byteOffset, headBytes);

/** Store the newest version of each row, framed. */
async function gather(level: Bytes, path: string): Promise<void> {
  let newest = new Map<string, Version>();
  const write = async () => {
    const versions = [...newest.values()];
    const known = await level.getMany(versions.map(({ key }) => key));
    const newer = versions.filter((version, i) => {
      const row = known[i];
      return row === undefined || headOf(row).readDoubleBE() < version.sequence;
    });
    await level.batch(newer.map((version) => ({ type: 'put', key: version.key, value: framed(version) })));
    newest = new Map();
  };
  for await (const version of versionsIn(path)) {
    const name = Buffer.from(version.key).toString('latin1');
    const other = newest.get(name);
    if (other === undefined || other.sequence < version.sequence) newest.set(name, version);
    if (newest.size >= versionsAtOnce) await write();
  }
  await write();
}

/** Take the frames off, and drop deleted rows. Resolves to the number of rows. */
async function unframe(level: Bytes): Promise<number> {
  let rows = 0;
  await using iterator = level.iterator();
  for (;;) {
    const entries = await iterator.nextv(versionsAtOnce);
    if (entries.length === 0) return rows;
    const isThere = (row: Uint8Array) => headOf(row)[8] === 1;
    rows += entries.filter(([, row]) => isThere(row)).length;
    await level.batch(
      entries.map(([key, row]) =>
        isThere(row) ? { type: 'put', key, value: row.subarray(headBytes) } : { type: 'del', key },
      ),
    );
  }
}

const besides = (path: string) => ({
  ...{ fresh: `${path}.mending`, probe: `${path}.probe`, old: `${path}.damaged` },
});

/** Whether a file or folder exists. */
const isPresent = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Complete or undo a salvage that a crash cut between its renames. */
export async function settleSalvage(path: string): Promise<void> {
  const { old } = besides(path);
  if (!(await isPresent(old))) return;
  if (await isPresent(path)) await rm(old, { recursive: true, force: true });
  else await rename(old, path);
}

/**
 * An empty database in `folder`, under the lock of the one at `path`. Throws STORE_LOCKED while a process has that one
 * open, and the system's error where its file system has no links: then nothing tells.
 */
async function openBeside(path: string, folder: string): Promise<Bytes> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let level: Bytes;
  try {
    // LevelDB locks the file itself, not its name: with this link both folders have one lock.
    await link(join(path, 'LOCK'), join(folder, 'LOCK')).catch((error: NodeJS.ErrnoException) => {
      // Lost: no process has it open.
      if (error.code !== 'ENOENT') throw error;
    });
    level = new Level(folder, { keyEncoding: 'view', valueEncoding: 'view' });
    await level.open();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (levelFault(error, 'LEVEL_LOCKED') === undefined) throw storeFault(error, path);
    throw failure(storeErrors.STORE_LOCKED, { path, pid: undefined, role: undefined }, error);
  }
  return level;
}

/** Throws STORE_LOCKED while a process has the database open: what looks damaged may be a file being written. */
export async function notHeld(path: string): Promise<void> {
  // Not where another process may be salvaging.
  const { probe } = besides(path);
  await (await openBeside(path, probe)).close();
  await rm(probe, { recursive: true, force: true });
}

/**
 * Make a damaged database again from every row that can be read, in its place. A crash leaves the damaged one or the new
 * one. Resolves to the number of rows. Throws STORE_LOCKED while a process has it open.
 */
export async function salvage(path: string): Promise<number> {
  const { fresh, old } = besides(path);
  const level = await openBeside(path, fresh);
  let rows: number;
  try {
    await gather(level, path);
    rows = await unframe(level);
  } catch (error) {
    throw storeFault(error, path);
  } finally {
    await level.close();
  }
  await rename(path, old);
  await rename(fresh, path);
  await rm(old, { recursive: true, force: true });
  return rows;
}
