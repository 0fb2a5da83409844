import type { Enumerated, EnumerationMemory, Enumerator } from '../enumerator.ts';
import type { FolderEnumerator } from '../folder/folder-enumerator.ts';
import type { FolderChanges } from '../folder/folder-watcher.ts';
import { isFileStamp } from '../folder/regular-file.ts';
import { UrlSet } from '../web/url-set.ts';
import { everyRoot, rootedAt } from './every-root.ts';

/** A folder among the roots, to be watched. */
export interface WatchedFolder {
  /** Its path. */
  readonly root: string;
  readonly hidden: boolean;
  readonly enumerator: FolderEnumerator;
}

/** Items to store, and the prefixes below which known documents that are not yielded are deleted. */
export interface FolderUpdate {
  readonly items: AsyncIterable<Enumerated>;
  readonly below: readonly string[];
}

/**
 * Watched folders whose URLs overlap. After a change they are brought up to date by themselves, without the other
 * roots; what another root has gathered under a URL of these folders stays.
 */
export class FolderGroup {
  readonly #folders: readonly WatchedFolder[];
  readonly #others: readonly Enumerator[];

  private constructor(folders: readonly WatchedFolder[], others: readonly Enumerator[]) {
    this.#folders = folders;
    this.#others = others;
  }

  /** The group of each folder. `others`: the roots that are not watched. */
  static of(
    folders: readonly WatchedFolder[],
    others: readonly Enumerator[],
  ): ReadonlyMap<WatchedFolder, FolderGroup> {
    let sets: (readonly WatchedFolder[])[] = [];
    for (const folder of folders) {
      const near = sets.filter((set) => set.some((one) => overlap(one, folder)));
      sets = [...sets.filter((set) => !near.includes(set)), [...near.flat(), folder]];
    }
    return new Map(
      sets.flatMap((set) => {
        const group = new FolderGroup(set, others);
        return set.map((folder) => [folder, group] as const);
      }),
    );
  }

  /** Whether changes must be found by a walk over the whole group. */
  get isWalked(): boolean {
    return this.#folders.length > 1 || this.#folders.some(({ enumerator }) => enumerator.isCounted);
  }

  /** The update after changes of the first folder of this group, which is the only one of a group that is not walked. */
  changed(changes: FolderChanges, memory: EnumerationMemory): FolderUpdate {
    const { enumerator } = this.#folders[0] as WatchedFolder;
    const below = changes.folders.map((folder) => enumerator.prefixOf(folder));
    return { items: this.#sparing(enumerator.changed(changes, memory), below, memory), below };
  }

  /** The update that walks every folder of this group. */
  walk(memory: EnumerationMemory, signal?: AbortSignal): FolderUpdate {
    const below = [...new Set(this.#folders.map(({ enumerator }) => enumerator.urlPrefix))];
    const roots = this.#folders.map(({ root, enumerator }) => rootedAt(root, enumerator));
    return { items: this.#sparing(everyRoot(roots, memory, signal), below, memory), below };
  }

  /** The items, without removals of what another root has gathered; its documents below the prefixes are kept. */
  async *#sparing(
    items: AsyncIterable<Enumerated>,
    below: readonly string[],
    memory: EnumerationMemory,
  ): AsyncGenerator<Enumerated> {
    if (this.#others.length === 0) return yield* items;
    const yielded = new UrlSet();
    for await (const item of items) {
      const isRemoval = item.kind === 'gone' || item.kind === 'skipped';
      if (isRemoval && (await this.#isOfAnother(item.url, memory))) continue;
      if (below.length > 0 && this.#mayBeOfAnother(item.url)) yielded.add(item.url);
      yield item;
    }
    for (const prefix of below)
      for await (const url of memory.known?.(prefix) ?? []) {
        if (yielded.has(url) || !(await this.#isOfAnother(url, memory))) continue;
        yielded.add(url);
        yield { url, depth: 0, kind: 'unchanged', remember: (await memory.recall(url)) ?? {} };
      }
  }

  async #isOfAnother(url: string, memory: EnumerationMemory): Promise<boolean> {
    return this.#mayBeOfAnother(url) && !isFileStamp((await memory.recall(url))?.stamp);
  }

  #mayBeOfAnother(url: string): boolean {
    return this.#others.some((root) => root.covers?.(url) ?? true);
  }
}

function overlap({ enumerator: one }: WatchedFolder, { enumerator: other }: WatchedFolder): boolean {
  return one.urlPrefix.startsWith(other.urlPrefix) || other.urlPrefix.startsWith(one.urlPrefix);
}
