import { type FSWatcher, watch } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface FolderWatcherOptions {
  readonly root: string;
  readonly hidden: boolean;
  /** Paths that may have changed; `undefined` when anything may have, as after folders came or went. */
  readonly onChange: (paths: readonly string[] | undefined) => void;
  /** Watching failed (too many folders for the system, say); nothing more is reported. */
  readonly onFault: (error: Error) => void;
  /** Changes closer together than this are reported together. */
  readonly quietMs?: number;
}

const defaultQuietMs = 40;
const maxPaths = 1000;

/** Identity of a folder, or undefined when there is none at this path. A link counts only where it is followed. */
async function inodeOf(path: string, follow: boolean): Promise<bigint | undefined> {
  const look = follow ? stat : lstat;
  const stats = await look(path, { bigint: true }).catch(() => undefined);
  return stats?.isDirectory() === true ? stats.ino : undefined;
}

/** Watches a folder tree, one watch per folder, and reports paths that may have changed, in bursts. */
export class FolderWatcher implements AsyncDisposable {
  readonly #options: FolderWatcherOptions;
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: bigint }>();
  readonly #paths = new Set<string>();
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  async #watchTree(folder: string): Promise<void> {
    if (this.#closed || this.#watchers.has(folder)) return;
    try {
      const inode = await inodeOf(folder, folder === this.#options.root);
      if (inode === undefined) return;
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#noticed(folder, name));
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, { watcher, inode });
      for await (const entry of await opendir(folder)) {
        if (!entry.isDirectory() || (!this.#options.hidden && entry.name.startsWith('.'))) continue;
        await this.#watchTree(join(folder, entry.name));
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#drop(folder);
      // A folder that vanished meanwhile is reported by its parent.
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') this.#options.onFault(error as Error);
    }
  }

  /** Stop watching a folder and what is below it. */
  #drop(folder: string): void {
    for (const [path, { watcher }] of this.#watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #noticed(folder: string, name: string | null): void {
    if (this.#closed) return;
    if (name === null) this.#everything = true;
    else this.#paths.add(join(folder, name));
    if (this.#paths.size > maxPaths) this.#everything = true;
    this.#timer ??= setTimeout(() => void this.#report(), this.#options.quietMs ?? defaultQuietMs);
  }

  async #report(): Promise<void> {
    const paths = [...this.#paths];
    this.#paths.clear();
    for (const path of [this.#options.root, ...paths]) {
      const inode = await inodeOf(path, path === this.#options.root);
      const known = this.#watchers.get(path)?.inode;
      // Another folder under the same name is watched anew: the old watch follows the old one.
      if (inode === known) continue;
      this.#drop(path);
      if (inode !== undefined) await this.#watchTree(path);
      this.#everything = true;
    }
    this.#timer = undefined;
    if (this.#closed) return;
    const everything = this.#everything;
    this.#everything = false;
    this.#options.onChange(everything ? undefined : paths);
    // What arrived while folders were looked at is the next burst.
    if (this.#paths.size > 0)
      this.#timer ??= setTimeout(() => void this.#report(), this.#options.quietMs ?? defaultQuietMs);
  }
}
