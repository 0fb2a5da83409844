import { UrlSet } from '../web/url-set.ts';

/** How a URL ended in this run. */
export type AddressState =
  | { readonly kind: 'present' }
  /** Another address of the page `of`, or a redirect to it. */
  | { readonly kind: 'other'; readonly of: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed' };

/** What is known of an address that a page names as its own. */
export type Named =
  | { readonly kind: 'present'; readonly url: string }
  /** It is not known yet: the page waits for `url`. */
  | { readonly kind: 'unknown'; readonly url: string }
  /** It could not be read in this run. */
  | { readonly kind: 'failed' }
  /** It leads to an error, to a page that is left out, or back to the page itself. */
  | { readonly kind: 'mistake' };

const maxSteps = 5;
const maxKept = 10_000;

/** The addresses that pages name as their own (`rel=canonical`), and the pages that wait for them. */
export class NamedAddresses<Waiting> {
  readonly #present = new UrlSet();
  readonly #settled = new UrlSet();
  readonly #others = new Map<string, string>();
  readonly #failed = new Set<string>();
  readonly #waiting = new Map<string, Waiting[]>();
  #count = 0;

  /** Note how a URL ended; returns the pages that waited for it. */
  settle(url: string, state: AddressState): readonly Waiting[] {
    this.#settled.add(url);
    if (state.kind === 'present') this.#present.add(url);
    if (state.kind === 'other' && this.#others.size < maxKept) this.#others.set(url, state.of);
    if (state.kind === 'failed' && this.#failed.size < maxKept) this.#failed.add(url);
    const waiting = this.#waiting.get(url) ?? [];
    this.#waiting.delete(url);
    this.#count -= waiting.length;
    return waiting;
  }

  /** The page of which a URL is another address in this run. */
  nameOf(url: string): string | undefined {
    return this.#present.has(url) ? undefined : this.#others.get(url);
  }

  /** What is known of the address `named` of the page `url`, through chains and redirects. */
  find(named: string, url: string): Named {
    let at = named;
    for (let steps = 0; steps <= maxSteps; steps += 1) {
      if (at === url) return { kind: 'mistake' };
      if (this.#present.has(at)) return { kind: 'present', url: at };
      if (this.#failed.has(at)) return { kind: 'failed' };
      const next = this.#others.get(at);
      if (next === undefined)
        return this.#settled.has(at) ? { kind: 'mistake' } : { kind: 'unknown', url: at };
      at = next;
    }
    return { kind: 'mistake' };
  }

  /** A page waits for an address; false when too many wait already. */
  wait(url: string, waiting: Waiting): boolean {
    if (this.#count >= maxKept) return false;
    this.#count += 1;
    this.#waiting.set(url, [...(this.#waiting.get(url) ?? []), waiting]);
    return true;
  }

  /** All that still wait when nothing is left to read: their addresses name each other, or were never read. */
  rest(): readonly Waiting[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#count = 0;
    return all;
  }
}
