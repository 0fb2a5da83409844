import type { Enumerated, EnumerationMemory, Enumerator, OrderedRecall } from '../enumerator.ts';
import { UrlSet } from '../web/url-set.ts';

type LeftOut = Extract<Enumerated, { kind: 'skipped' }>;

/** So many URLs that a root leaves out wait for what the others say of them; more are only counted. */
const maxWaiting = 100_000;

function mayHold(enumerator: Enumerator, url: string): boolean {
  return enumerator.covers?.(url) ?? true;
}

/**
 * URLs that several roots may hold. What one of them leaves out is left out of the run only when no other tells of it,
 * which is known at the end; what nobody else can hold is known at once.
 */
export class OverlappingUrls {
  readonly #roots: readonly Enumerator[];
  readonly #told = new UrlSet();
  readonly #leftOut = new Map<string, LeftOut>();
  #more = 0;
  readonly #byPrefix = new Map<string, Enumerator[]>();
  /** Roots that must be asked for every URL. */
  readonly #asked: readonly Enumerator[];
  /** The folder that was looked up last, as files of one come together, and whether another root holds all in it. */
  #last: { readonly root?: Enumerator; readonly folder: string; readonly isHeld: boolean } = {
    folder: '',
    isHeld: false,
  };

  constructor(roots: readonly Enumerator[]) {
    this.#roots = roots;
    this.#asked = roots.filter(({ urlPrefix }) => urlPrefix === undefined);
    for (const root of roots)
      if (root.urlPrefix !== undefined)
        this.#byPrefix.set(root.urlPrefix, [...(this.#byPrefix.get(root.urlPrefix) ?? []), root]);
  }

  /** Whether what a root says of a URL holds already. */
  holds(item: Enumerated, root: Enumerator): boolean {
    const { url } = item;
    if (!this.#isShared(url, root)) return true;
    if (item.kind !== 'skipped') {
      this.#tell(url);
      return true;
    }
    if (this.#told.has(url)) return false;
    const before = this.#leftOut.get(url);
    if (before === undefined && this.#leftOut.size >= maxWaiting) this.#more++;
    // An operator's limit is the louder word.
    else if (before === undefined || (item.limit === true && before.limit !== true))
      this.#leftOut.set(url, item);
    return false;
  }

  /** What a root may recall. What it keeps without telling of it is noted where another may hold the same. */
  remembering(memory: EnumerationMemory, root: Enumerator): EnumerationMemory {
    const { inOrder, known } = memory;
    if (inOrder === undefined || this.#roots.length < 2) return memory;
    return {
      recall: (url) => memory.recall(url),
      inOrder: (prefix) => this.#noting(inOrder.call(memory, prefix), root),
      ...(known && { known: known.bind(memory) }),
    };
  }

  #noting(ordered: OrderedRecall, root: Enumerator): OrderedRecall {
    return {
      recall: (url) => ordered.recall(url),
      keep: (url, remembered) => {
        if (!ordered.keep(url, remembered)) return false;
        if (this.#isShared(url, root)) this.#tell(url);
        return true;
      },
      leaveOut: (item) => ordered.leaveOut(item),
      [Symbol.asyncDispose]: () => ordered[Symbol.asyncDispose](),
    };
  }

  #tell(url: string): void {
    this.#told.add(url);
    this.#leftOut.delete(url);
  }

  #isShared(url: string, root: Enumerator): boolean {
    const folder = url.slice(0, url.lastIndexOf('/') + 1);
    if (this.#last.root !== root || this.#last.folder !== folder)
      this.#last = { root, folder, isHeld: this.#isHeld(folder, root) };
    return this.#last.isHeld || this.#asked.some((other) => other !== root && mayHold(other, url));
  }

  /** Whether the prefix of another root is a folder or one above it. */
  #isHeld(folder: string, root: Enumerator): boolean {
    for (let end = folder.length; end > 0; end = end < 2 ? 0 : folder.lastIndexOf('/', end - 2) + 1)
      if (this.#byPrefix.get(folder.slice(0, end))?.some((other) => other !== root) === true) return true;
    return false;
  }

  /** What no root told of. What a lost root may hold is not among it: nothing of that root is to go. */
  *rest(lost: ReadonlySet<Enumerator>): Generator<Enumerated> {
    for (const item of this.#leftOut.values())
      if (![...lost].some((root) => mayHold(root, item.url))) yield item;
    if (this.#more === 0) return;
    const rule = `${this.#more} more URLs that one of several roots leaves out`;
    yield { url: `${this.#roots[0]?.root ?? ''}#left-out`, depth: 0, kind: 'skipped', rule };
  }
}
