import type { Enumerated, EnumerationMemory, Enumerator, OrderedRecall } from '../enumerator.ts';
import { UrlSet } from '../web/url-set.ts';

type LeftOut = Extract<Enumerated, { kind: 'skipped' }>;

/** Max URLs left out by one root that wait for the other roots; more are only counted. */
const maxWaiting = 100_000;

function mayHold(enumerator: Enumerator, url: string): boolean {
  return enumerator.covers?.(url) ?? true;
}

/** URLs that several roots may cover: one counts as left out only if no other root yields it. */
export class OverlappingUrls {
  readonly #roots: readonly Enumerator[];
  readonly #yielded = new UrlSet();
  readonly #leftOut = new Map<string, LeftOut>();
  #more = 0;
  readonly #byPrefix = new Map<string, Enumerator[]>();
  /** Roots whose `covers` must be called for every URL. */
  readonly #unprefixed: readonly Enumerator[];
  /** The folder of the last lookup, because files of one folder come together, and whether another root covers it. */
  #last: { readonly root?: Enumerator; readonly folder: string; readonly isHeld: boolean } = {
    folder: '',
    isHeld: false,
  };

  constructor(roots: readonly Enumerator[]) {
    this.#roots = roots;
    this.#unprefixed = roots.filter(({ urlPrefix }) => urlPrefix === undefined);
    for (const root of roots)
      if (root.urlPrefix !== undefined)
        this.#byPrefix.set(root.urlPrefix, [...(this.#byPrefix.get(root.urlPrefix) ?? []), root]);
  }

  /** Whether the item of a root is final. */
  holds(item: Enumerated, root: Enumerator): boolean {
    const { url } = item;
    if (!this.#isShared(url, root)) return true;
    if (item.kind !== 'skipped') {
      this.#note(url);
      return true;
    }
    if (this.#yielded.has(url)) return false;
    const before = this.#leftOut.get(url);
    if (before === undefined && this.#leftOut.size >= maxWaiting) this.#more++;
    // An operator's limit has priority.
    else if (before === undefined || (item.limit === true && before.limit !== true))
      this.#leftOut.set(url, item);
    return false;
  }

  /** The memory for a root. It notes URLs that the root keeps without yielding, if another root may cover them. */
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
        if (this.#isShared(url, root)) this.#note(url);
        return true;
      },
      leaveOut: (item) => ordered.leaveOut(item),
      [Symbol.asyncDispose]: () => ordered[Symbol.asyncDispose](),
    };
  }

  #note(url: string): void {
    this.#yielded.add(url);
    this.#leftOut.delete(url);
  }

  #isShared(url: string, root: Enumerator): boolean {
    const folder = url.slice(0, url.lastIndexOf('/') + 1);
    if (this.#last.root !== root || this.#last.folder !== folder)
      this.#last = { root, folder, isHeld: this.#isHeld(folder, root) };
    return this.#last.isHeld || this.#unprefixed.some((other) => other !== root && mayHold(other, url));
  }

  /** Whether the prefix of another root is this folder or a folder above it. */
  #isHeld(folder: string, root: Enumerator): boolean {
    for (let end = folder.length; end > 0; end = end < 2 ? 0 : folder.lastIndexOf('/', end - 2) + 1)
      if (this.#byPrefix.get(folder.slice(0, end))?.some((other) => other !== root) === true) return true;
    return false;
  }

  /** The URLs that no root yielded, except those that a lost root may cover: nothing of that root is deleted. */
  *rest(lost: ReadonlySet<Enumerator>): Generator<Enumerated> {
    for (const item of this.#leftOut.values())
      if (![...lost].some((root) => mayHold(root, item.url))) yield item;
    if (this.#more === 0) return;
    const rule = `${this.#more} more URLs that one of several roots leaves out`;
    yield { url: `${this.#roots[0]?.root ?? ''}#left-out`, depth: 0, kind: 'skipped', rule };
  }
}
