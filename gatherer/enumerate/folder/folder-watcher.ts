import { type FSWatcher, watch } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { entriesIn, osPath, textOfName } from './file-names.ts';

/** Paths below a watched root. */
export interface FolderChanges {
  /** Paths that may have changed, including folders. */
  readonly paths: readonly string[];
  /** Folders that were added, deleted or replaced: anything below them may have changed. */
  readonly folders: readonly string[];
}

export interface FolderWatcherOptions {
  readonly root: string;
  readonly hidden: boolean;
  /** Receives the changes; `undefined` when anything may have changed, such as after the root was replaced. */
  readonly onChange: (changes: FolderChanges | undefined) => void;
  /** Watching failed (for example, too many folders for the system) and is no longer reliable; called once. */
  readonly onFault: (error: Error) => void;
  /** Changes closer together than this are reported together. */
  readonly quietMs?: number;
}

const defaultQuietMs = 40;
const maxPaths = 1000;

/** Identity of a folder, or undefined when there is none at this path. `follow`: also through a link. */
async function inodeOf(path: string, follow: boolean): Promise<string | undefined> {
  const read = follow ? stat : lstat;
  const stats = await read(osPath(path), { bigint: true }).catch(() => undefined);
  return stats?.isDirectory() === true ? `${stats.dev}.${stats.ino}` : undefined;
}

/** Watches a folder tree, one watch per folder, and reports paths that may have changed, in bursts. */
export class FolderWatcher implements AsyncDisposable {
  readonly #options: FolderWatcherOptions;
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: string }>();
  readonly #paths = new Set<string>();
  /** Identity of the root at the last check, watched or not. */
  #rootInode: string | undefined;
  #faulty = false;
  #everything = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: FolderWatcherOptions) {
    this.#options = options;
  }

  /** Watch every folder below the root; resolves when all are being watched. */
  static async start(options: FolderWatcherOptions): Promise<FolderWatcher> {
    const watcher = new FolderWatcher(options);
    await watcher.#watchTree(options.root);
    return watcher;
  }

  /** Folders being watched. */
  get folders(): number {
    return this.#watchers.size;
  }

  /** Check that the root is still the same folder, since mounting a disk there sends no event. */
  async checkRoot(): Promise<void> {
    const { root } = this.#options;
    const inode = await inodeOf(root, true);
    if (this.#closed) return;
    if (inode === this.#rootInode) {
      if (inode === undefined || this.#watchers.has(root)) return;
      await this.#watchTree(root);
      // Changes before the watch were not reported.
      if (this.#closed || !this.#watchers.has(root)) return;
    }
    this.#everything = true;
    this.#reportSoon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #watchTree(folder: string): Promise<void> {
    if (this.#closed || this.#watchers.has(folder)) return;
    try {
      const isRoot = folder === this.#options.root;
      const inode = await inodeOf(folder, isRoot);
      if (isRoot) this.#rootInode = inode;
      if (inode === undefined) return;
      const watcher = watch(osPath(folder), { persistent: false, encoding: 'buffer' }, (_, name) =>
        this.#noticed(folder, name === null ? null : textOfName(name)),
      );
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, { watcher, inode });
      for (const entry of await entriesIn(folder)) {
        if (!entry.isDirectory() || (!this.#options.hidden && entry.name.startsWith('.'))) continue;
        await this.#watchTree(join(folder, entry.name));
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#drop(folder);
      // A folder that vanished meanwhile is reported by its parent.
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') this.#fault(error as Error);
    }
  }

  #fault(error: Error): void {
    if (this.#faulty) return;
    this.#faulty = true;
    this.#options.onFault(error);
  }

  /** Stop watching a folder and the folders below it. */
  #drop(folder: string): void {
    for (const [path, { watcher }] of this.#watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #noticed(folder: string, name: string | null): void {
    if (this.#closed || (name !== null && this.#isHidden(folder, name))) return;
    if (name === null) this.#everything = true;
    else this.#paths.add(join(folder, name));
    if (this.#paths.size > maxPaths) this.#everything = true;
    this.#reportSoon();
  }

  /** Whether a name is left out for its dot; the root and a deleted folder come by their own names. */
  #isHidden(folder: string, name: string): boolean {
    const { root, hidden } = this.#options;
    return !hidden && name.startsWith('.') && !(folder === root && name === basename(root));
  }

  #reportSoon(): void {
    this.#timer ??= setTimeout(() => void this.#report(), this.#options.quietMs ?? defaultQuietMs);
  }

  async #report(): Promise<void> {
    const { root, onChange } = this.#options;
    const paths = [...this.#paths];
    this.#paths.clear();
    const folders: string[] = [];
    for (const path of [root, ...paths]) {
      const inode = await inodeOf(path, path === root);
      const known = path === root ? this.#rootInode : this.#watchers.get(path)?.inode;
      // Another folder under the same name needs a new watch: the old watch follows the old folder.
      if (inode === known) continue;
      this.#drop(path);
      if (path === root) this.#rootInode = inode;
      if (inode !== undefined) await this.#watchTree(path);
      if (path === root) this.#everything = true;
      else folders.push(path);
    }
    this.#timer = undefined;
    if (this.#closed) return;
    const everything = this.#everything;
    this.#everything = false;
    onChange(everything ? undefined : { paths, folders });
    // Events that arrived meanwhile belong to the next burst.
    if (this.#paths.size > 0) this.#reportSoon();
  }
}
