import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/index.ts';
import { isWholeLog } from './log-file.ts';
import { checkTable } from './table-file.ts';

/** Bytes that are read before a pause for other work, and its length. */
const burstBytes = 1024 * 1024;
const pauseMs = 20;

/** The first log of a closed database with a damaged record, or undefined. */
export async function damagedLog(folder: string): Promise<string | undefined> {
  for (const name of await namesIn(folder)) {
    if (!/^\d+\.log$/.test(name) && !/^MANIFEST-\d+$/.test(name)) continue;
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    if (bytes !== undefined && !isWholeLog(bytes)) return name;
  }
  return undefined;
}

/** Whether a closed database lost its file CURRENT: LevelDB would start a new one and delete the tables. */
export async function hasLostCurrent(folder: string): Promise<boolean> {
  const names = await namesIn(folder);
  return !names.includes('CURRENT') && names.some((name) => /^\d+\.(log|ldb|sst)$/.test(name));
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
    if (!/^\d+\.(ldb|sst)$/.test(name)) continue;
    const file = await open(join(folder, name)).catch(() => undefined);
    if (file === undefined) continue;
    let bytes = 0;
    let isWhole: boolean;
    try {
      const checking = checkTable(file);
      for (;;) {
        const step = await checking.next();
        if (step.done === true) {
          isWhole = step.value;
          break;
        }
        unpaused += step.value - bytes;
        bytes = step.value;
        if (unpaused < burstBytes) continue;
        unpaused = 0;
        await clock.sleep(pauseMs, signal);
      }
    } finally {
      await file.close();
    }
    signal?.throwIfAborted();
    read?.(bytes);
    if (!isWhole) yield name;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
