/** State of the folder URL `/dir/` in this run. */
type FolderState =
  /** MD5 of its bytes, or undefined when it is unchanged and its MD5 was not remembered. */
  | { readonly kind: 'present'; readonly md5: string | undefined }
  /** Not a document: gone, redirected or left out. */
  | { readonly kind: 'absent' }
  /** Could not be read; the previous state holds. */
  | { readonly kind: 'failed' };

/** An `index.*` page of this run, and the data that waits for its folder. */
export interface IndexPage<Waiting> {
  readonly url: string;
  readonly md5: string | undefined;
  readonly waiting: Waiting;
}

const indexName = /^(https?:\/\/[^?#]*\/)index\.[a-z0-9]{1,6}$/i;

/** `/dir/` for `/dir/index.html` and the like; undefined for every other URL. */
export function folderOf(url: string): string | undefined {
  return indexName.exec(url)?.[1];
}

/** Whether a URL is one that `folderOf` may return. */
export function isFolder(url: string): boolean {
  return url.endsWith('/') && !url.includes('?');
}

/** Finds the index pages that are doubles of their folder: `/dir/index.html` with the bytes of `/dir/`. */
export class IndexDoubles<Waiting> {
  readonly #folders = new Map<string, FolderState>();
  readonly #yielded = new Map<string, IndexPage<Waiting>[]>();
  readonly #parked = new Map<string, IndexPage<Waiting>[]>();

  /** State of a folder, or undefined before it was met. */
  folder(url: string): FolderState | undefined {
    return this.#folders.get(url);
  }

  /** Record a folder's state. `doubles` were yielded and equal it; `parked` index pages waited for it. */
  settle(
    folder: string,
    state: FolderState,
  ): { readonly doubles: readonly IndexPage<Waiting>[]; readonly parked: readonly IndexPage<Waiting>[] } {
    this.#folders.set(folder, state);
    const parked = this.#parked.get(folder) ?? [];
    const yielded = this.#yielded.get(folder) ?? [];
    this.#parked.delete(folder);
    this.#yielded.delete(folder);
    return { parked, doubles: yielded.filter(({ md5 }) => this.isDouble(folder, md5, false)) };
  }

  /** Whether an index page with these bytes is a double. `before`: it was one in the last run and is unchanged. */
  isDouble(folder: string, md5: string | undefined, before: boolean): boolean {
    const state = this.#folders.get(folder);
    if (state?.kind === 'failed') return before;
    if (state?.kind !== 'present') return false;
    // Without an MD5 both pages are unchanged, so the previous state holds.
    if (state.md5 === undefined || md5 === undefined) return before;
    return state.md5 === md5;
  }

  /** Note an index page that was yielded as a document; its folder may come later. */
  noteYielded(folder: string, page: IndexPage<Waiting>): void {
    if (this.#folders.has(folder)) return;
    this.#yielded.set(folder, [...(this.#yielded.get(folder) ?? []), page]);
  }

  /** An index page must wait for its folder. */
  park(folder: string, page: IndexPage<Waiting>): void {
    this.#parked.set(folder, [...(this.#parked.get(folder) ?? []), page]);
  }
}
