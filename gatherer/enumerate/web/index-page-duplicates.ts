/** What is known of the folder URL `/dir/` in this run. */
type FolderState =
  /** MD5 of its bytes, or undefined when it is unchanged and its MD5 was not remembered. */
  | { readonly kind: 'present'; readonly md5: string | undefined }
  /** Not a document: gone, redirected or left out. */
  | { readonly kind: 'absent' }
  /** Could not be read; whatever was true before still is. */
  | { readonly kind: 'failed' };

/** An `index.*` page that this run has met, and what waits for its folder. */
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

/** Whether a URL is one that `folderOf` may give. */
export function isFolder(url: string): boolean {
  return url.endsWith('/') && !url.includes('?');
}

/**
 * `/dir/` and `/dir/index.html` are mostly one document with two names. This book of a run tells, in whatever order
 * and by whatever answers they come, which index pages are doubles of their folder: those with equal bytes.
 */
export class IndexDoubles<Waiting> {
  readonly #folders = new Map<string, FolderState>();
  readonly #told = new Map<string, IndexPage<Waiting>[]>();
  readonly #parked = new Map<string, IndexPage<Waiting>[]>();

  /** What is known of a folder, or undefined before it was met. */
  folder(url: string): FolderState | undefined {
    return this.#folders.get(url);
  }

  /**
   * A folder's turn is over. `doubles` are index pages that were told of as documents and turn out to equal it;
   * `parked` are those that waited for it.
   */
  settle(
    folder: string,
    state: FolderState,
  ): { readonly doubles: readonly IndexPage<Waiting>[]; readonly parked: readonly IndexPage<Waiting>[] } {
    this.#folders.set(folder, state);
    const parked = this.#parked.get(folder) ?? [];
    const told = this.#told.get(folder) ?? [];
    this.#parked.delete(folder);
    this.#told.delete(folder);
    return { parked, doubles: told.filter(({ md5 }) => this.isDouble(folder, md5, false)) };
  }

  /** Whether an index page with these bytes is a double. `before`: it was one in the last run and is unchanged. */
  isDouble(folder: string, md5: string | undefined, before: boolean): boolean {
    const state = this.#folders.get(folder);
    if (state?.kind === 'failed') return before;
    if (state?.kind !== 'present') return false;
    // Where an MD5 is missing, both unchanged means that what was true stays true.
    if (state.md5 === undefined || md5 === undefined) return before;
    return state.md5 === md5;
  }

  /** An index page was told of as a document; its folder may yet come. */
  tell(folder: string, page: IndexPage<Waiting>): void {
    if (this.#folders.has(folder)) return;
    this.#told.set(folder, [...(this.#told.get(folder) ?? []), page]);
  }

  /** An index page must wait for its folder. */
  park(folder: string, page: IndexPage<Waiting>): void {
    this.#parked.set(folder, [...(this.#parked.get(folder) ?? []), page]);
  }
}
