import { constants, readlinkSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { sep } from 'node:path';
import { osPath, realPath, textOfName } from './file-names.ts';

// A name may be swapped with a link between a check and its use. So a file is opened first, and the open file is checked.

/** A pipe must not block, and a last name that became a link is not followed. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** An open file or folder that lies within a folder. */
export interface OpenWithin extends AsyncDisposable {
  readonly file: FileHandle;
  readonly stats: Stats;
  /** Its path without links. */
  readonly path: string;
}

/** Whether a path without links is a folder without links, or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path of an open file as the system knows it; undefined where the system does not say, as outside Linux. */
export function pathOfOpen(fd: number): string | undefined {
  try {
    return textOfName(readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' }));
  } catch {
    return undefined;
  }
}

/** The path by which the content of an open folder is listed. */
export function listPath({ file, path }: OpenWithin): string {
  return pathOfOpen(file.fd) === undefined ? path : `/proc/self/fd/${file.fd}`;
}

/**
 * Open what a path names below `folder`, a path without links; links within the folder are followed. Undefined when
 * it lies outside, also when a name is swapped meanwhile. Throws the system's error, as for a path that does not exist.
 */
export async function openWithin(folder: string, path: string): Promise<OpenWithin | undefined> {
  const real = await realPath(path);
  if (!isWithin(folder, real)) return undefined;
  const file = await open(osPath(real), flags);
  try {
    const stats = await file.stat();
    const opened = pathOfOpen(file.fd) ?? ((await isAt(real, stats)) ? real : undefined);
    if (opened !== undefined && isWithin(folder, opened))
      return { file, stats, path: opened, [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Whether a path without links still is that, and names the open file. */
async function isAt(path: string, { dev, ino }: Stats): Promise<boolean> {
  const now = await lstat(osPath(path));
  return now.dev === dev && now.ino === ino && (await realPath(path)) === path;
}
