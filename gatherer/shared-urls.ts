import type { Enumerated, Enumerator } from './enumerator.ts';
import { UrlSet } from './url-set.ts';

type LeftOut = Extract<Enumerated, { kind: 'skipped' }>;

/** So many URLs that a root leaves out wait for what the others say of them; more are only counted. */
const mostWaiting = 100_000;

function mayHold(enumerator: Enumerator, url: string): boolean {
  return enumerator.covers?.(url) ?? true;
}

/**
 * URLs that several roots may hold. What one of them leaves out is left out of the run only when no other tells of it,
 * which is known at the end; what nobody else can hold is known at once.
 */
export class SharedUrls {
  readonly #roots: readonly Enumerator[];
  readonly #told = new UrlSet();
  readonly #leftOut = new Map<string, LeftOut>();
  #more = 0;

  constructor(roots: readonly Enumerator[]) {
    this.#roots = roots;
  }

  /** Whether what a root says of a URL holds already. */
  holds(item: Enumerated, root: Enumerator): boolean {
    const { url } = item;
    if (!this.#roots.some((other) => other !== root && mayHold(other, url))) return true;
    if (item.kind !== 'skipped') {
      this.#told.add(url);
      this.#leftOut.delete(url);
      return true;
    }
    if (this.#told.has(url)) return false;
    const before = this.#leftOut.get(url);
    if (before === undefined && this.#leftOut.size >= mostWaiting) this.#more++;
    // An operator's limit is the louder word.
    else if (before === undefined || (item.limit === true && before.limit !== true))
      this.#leftOut.set(url, item);
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
