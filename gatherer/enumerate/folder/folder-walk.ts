import { basename, dirname, sep } from 'node:path';
import { failure, type GarnerError } from '../../../kernel/index.ts';
import { gathererErrors } from '../../errors.ts';
import { stem } from '../../recognise/index.ts';
import type { Enumerated } from '../enumerator.ts';
import type { DiskPace } from './disk-pace.ts';
import { encodedName, entriesIn, entriesInSync, type FolderEntry } from './file-names.ts';

/** A file of a walk. */
export interface Walked {
  readonly path: string;
  readonly url: string;
  /** Steps down from the root, which is 0 itself. */
  readonly depth: number;
  /** Names of the files in its folder that differ only in their extension, including its own, where they matter. */
  readonly beside?: readonly string[];
}

interface Entry extends Walked {
  readonly isFolder: boolean;
}

export interface WalkOptions {
  /** Absolute path of the root, which must be readable. */
  readonly root: string;
  /** Whether names that begin with a dot are included. */
  readonly hidden: boolean;
  /** Whether the names beside a file matter. */
  readonly siblings: boolean;
  readonly pace: DiskPace;
}

/** Max depth of folders; deeper ones are reported as skipped. */
const maxDepth = 64;

export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** `EACCES: permission denied`: the system's message without the path, which the error names already. */
function systemReason(cause: unknown): string {
  const { message, syscall } = cause as NodeJS.ErrnoException;
  return syscall === undefined ? message : message.replace(/, \w+(?: '.*)?$/s, '');
}

export function unreadable(path: string, cause: unknown): GarnerError {
  return failure(gathererErrors.GATHERER_UNREADABLE, { path, reason: systemReason(cause) }, cause);
}

/**
 * The files below a folder in the order of their URLs; all files between two folders come together. Folders that cannot
 * be read come as items. Links to folders are not followed. Throws GATHERER_UNREADABLE when the root cannot be read,
 * and the signal's reason.
 */
export async function* walkFolder(
  from: Walked,
  options: WalkOptions,
  signal?: AbortSignal,
): AsyncGenerator<readonly Walked[] | Enumerated, void> {
  const open: { readonly entries: readonly Entry[]; at: number }[] = [
    { entries: [{ ...from, isFolder: true }], at: 0 },
  ];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const first = top.at;
    while (top.entries[top.at]?.isFolder === false) top.at++;
    if (top.at > first) yield top.entries.slice(first, top.at);
    const folder = top.entries[top.at++];
    if (folder === undefined) {
      open.pop();
      continue;
    }
    signal?.throwIfAborted();
    const entries = await entriesOf(folder, options);
    if ('kind' in entries) yield entries;
    else open.push({ entries, at: 0 });
  }
}

/** Names grouped by the part before their extension; sorted. */
function byStem(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const group = groups.get(stem(name));
    if (group === undefined) groups.set(stem(name), [name]);
    else group.push(name);
  }
  return groups;
}

/** The names beside a file that a rule about siblings may concern, including its own. */
export async function namesBeside(path: string): Promise<readonly string[]> {
  const names = (await entriesIn(dirname(path))).map(({ name }) => name);
  return names.filter((name) => stem(name) === stem(basename(path))).sort();
}

/** The entries of a folder, in the order of the URLs, in which the remembered rows are read. */
async function entriesOf(
  of: Walked,
  { root, hidden, siblings, pace }: WalkOptions,
): Promise<Entry[] | Enumerated> {
  const { path: folder, url, depth } = of;
  if (depth > maxDepth) return { url, depth, kind: 'skipped', rule: `deeper than ${maxDepth} folders` };
  const below = folder.endsWith(sep) ? folder : folder + sep;
  const entry = (found: FolderEntry): Entry => {
    const isFolder = found.isDirectory();
    const own = `${url}${encodedName(found.name)}${isFolder ? '/' : ''}`;
    return { path: below + found.name, url: own, depth: depth + 1, isFolder };
  };
  try {
    const found = pace.isSlow ? await entriesIn(folder) : pace.timed(() => entriesInSync(folder));
    const shown = found.filter(({ name }) => hidden || !name.startsWith('.'));
    const groups = siblings
      ? byStem(shown.filter((one) => !one.isDirectory()).map(({ name }) => name))
      : undefined;
    return shown
      .map((one) => {
        const beside = groups?.get(stem(one.name));
        return beside === undefined ? entry(one) : { ...entry(one), beside };
      })
      .sort((a, b) => (a.url < b.url ? -1 : 1));
  } catch (error) {
    // When the root cannot be read, nothing is known of its documents: none may be deleted.
    if (folder === root) throw unreadable(folder, error);
    // A deleted folder has no files.
    if (isAbsent(error)) return [];
    return { url, depth, kind: 'failed', error: unreadable(folder, error) };
  }
}
