import { type FileHandle, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/index.ts';
import { isWholeLog } from './log-file.ts';
import { liveTables } from './manifest-file.ts';
import { checkTable, isWholeTable } from './table-file.ts';

/** Bytes that are read before a pause for other work, and its length. */
const burstBytes = 1024 * 1024;
const pauseMs = 20;

/** Tables up to this size together are read before a database is opened; larger ones in the background. */
const maxTableBytesAtOpening = 4 * 1024 * 1024;

/** A file beside those of LevelDB: the sizes of the last log and manifest when the database was closed. */
const closedFile = 'garner-closed.json';

export const isLog = (name: string) => /^\d+\.log$/.test(name);
const isManifest = (name: string) => /^MANIFEST-\d+$/.test(name);
export const isTable = (name: string) => /^\d+\.(?:ldb|sst)$/.test(name);

/** Use a file that LevelDB may have deleted meanwhile. */
async function withFile<Result>(
  path: string,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** The first log of a database with a damaged record, or undefined. */
export async function damagedLog(folder: string): Promise<string | undefined> {
  for (const name of await namesIn(folder)) {
    if (!isLog(name) && !isManifest(name)) continue;
    if ((await withFile(join(folder, name), isWholeLog)) === false) return name;
  }
  return undefined;
}

/**
 * Whether a table belongs to its database. Others are being written, or were left by a compaction that ended with the
 * process; LevelDB removes those when it opens.
 */
async function isLive(folder: string, table: string): Promise<boolean> {
  const current = await readFile(join(folder, 'CURRENT'), 'latin1').catch(() => '');
  if (!isManifest(current.trimEnd())) return true;
  const live = await withFile(join(folder, current.trimEnd()), liveTables);
  return live === undefined || live.has(Number.parseInt(table, 10));
}

/** Whether a closed database lost its file CURRENT: LevelDB would start a new one and delete the tables. */
async function hasLostCurrent(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  return !names.includes('CURRENT') && names.some((name) => isLog(name) || isTable(name));
}

/** What is damaged in the files of a closed database, or undefined: LevelDB notices most of it late or never. */
export async function damageIn(folder: string): Promise<string | undefined> {
  const names = await namesIn(folder);
  if (names.length === 0) return undefined;
  if (await hasLostCurrent(folder)) return 'its file CURRENT is missing';
  if (names.includes('CURRENT')) {
    const current = await readFile(join(folder, 'CURRENT'), 'latin1');
    if (!names.includes(current.trimEnd()) || !/^MANIFEST-\d+\n$/.test(current))
      return 'CURRENT names no file of the database';
  }
  const log = (await damagedLog(folder)) ?? (await shortenedLog(folder));
  if (log !== undefined) return log.includes(' ') ? log : `${log} has a damaged record`;
  // A process that was killed may leave a table that it was writing, which no manifest names.
  if (!names.includes(closedFile)) return undefined;
  let bytes = 0;
  for (const name of names.filter(isTable)) {
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
    if (bytes > maxTableBytesAtOpening) return undefined;
    if ((await withFile(join(folder, name), isWholeTable)) !== false) continue;
    if (await isLive(folder, name)) return `${name} has a damaged block`;
  }
  return undefined;
}

/** Note the sizes of the log and the manifest of a database that is closing, so that the next opening notices a loss. */
export async function noteClosed(folder: string): Promise<void> {
  const names = await namesIn(folder);
  // Only the last ones: the others may be deleted while it closes.
  const last = [names.findLast(isLog), names.findLast(isManifest)].filter((name) => name !== undefined);
  const sizes = await Promise.all(last.map(async (name) => [name, (await stat(join(folder, name))).size]));
  await writeFile(join(folder, closedFile), JSON.stringify(Object.fromEntries(sizes)), { mode: 0o600 });
}

/** Remove that note: from now on the logs change. */
export async function noteOpened(folder: string): Promise<void> {
  await rm(join(folder, closedFile), { force: true });
}

/** A log that has become shorter since the database was closed, as a sentence. */
async function shortenedLog(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, closedFile), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let sizes: unknown;
  try {
    sizes = JSON.parse(text);
  } catch {
    // A note without meaning proves nothing.
    return undefined;
  }
  for (const [name, bytes] of Object.entries(sizes ?? {})) {
    if (!(isLog(name) || isManifest(name)) || typeof bytes !== 'number') continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found === undefined) return `${name} is missing`;
    if (found.size < bytes) return `${name} has lost its end`;
  }
  return undefined;
}

export interface CheckFilesOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Called with the bytes of each file that was read. */
  readonly read?: (bytes: number) => void;
}

/** Tables of a database, open or not, with a damaged block. Tables deleted meanwhile are skipped. */
export async function* damagedTables(folder: string, options: CheckFilesOptions): AsyncIterable<string> {
  const { clock, signal, read } = options;
  let unpaused = 0;
  for (const name of await namesIn(folder)) {
    if (!isTable(name)) continue;
    let bytes = 0;
    const isWhole = await withFile(join(folder, name), async (file) => {
      const checking = checkTable(file);
      for (;;) {
        const step = await checking.next();
        if (step.done === true) return step.value;
        unpaused += step.value - bytes;
        bytes = step.value;
        if (unpaused < burstBytes) continue;
        unpaused = 0;
        await clock.sleep(pauseMs, signal);
      }
    });
    signal?.throwIfAborted();
    if (isWhole === undefined) continue;
    read?.(bytes);
    if (!isWhole && (await isLive(folder, name))) yield name;
  }
}

/** The names of the files in a folder, in order; none when there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (
    await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    })
  ).sort();
}
