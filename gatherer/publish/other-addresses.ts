import type { Field } from '../../readers/document/index.ts';
import { Attributes } from '../../soif/index.ts';
import type { Summary } from '../summarise/index.ts';

/** Max pages whose other addresses are known at a time, and max addresses that an object names. */
const maxPages = 10_000;
const maxNamed = 50;
const maxSteps = 10;

/** The other addresses of the pages of one run: equal pages, pages that name another address, and redirects. */
export class OtherAddresses {
  readonly #of = new Map<string, string>();
  readonly #pages = new Map<string, Set<string>>();

  /** A URL is another address of the page `of`. */
  note(url: string, of: string): void {
    if (this.#of.size < maxPages * maxNamed) this.#of.set(url, of);
    const others = this.check(of);
    if (others !== undefined && others.size < maxNamed) others.add(url);
  }

  /** The object of a page may name addresses that are no longer its own. */
  check(page: string): Set<string> | undefined {
    const others = this.#pages.get(page);
    if (others !== undefined || this.#pages.size >= maxPages) return others;
    const none = new Set<string>();
    this.#pages.set(page, none);
    return none;
  }

  /** Every page that was noted or is to be checked, with its other addresses in order. The notes are removed. */
  take(): readonly (readonly [page: string, others: readonly string[]])[] {
    const found = new Map<string, Set<string>>();
    for (const [page, others] of this.#pages) {
      let at = page;
      for (let steps = 0; steps < maxSteps && this.#of.has(at); steps += 1) at = this.#of.get(at) ?? at;
      const all = found.get(at) ?? new Set<string>();
      for (const other of others) if (other !== at) all.add(other);
      found.set(at, all);
    }
    this.#of.clear();
    this.#pages.clear();
    return [...found].map(([page, others]) => [page, [...others].sort().slice(0, maxNamed)]);
  }
}

/** Attributes with those that name other addresses, in their place behind the MD5; none for no addresses. */
export function withOthers<Attribute>(
  attributes: readonly Attribute[],
  nameOf: (attribute: Attribute) => string,
  named: Attribute | undefined,
): readonly Attribute[] {
  const rest = attributes.filter((own) => nameOf(own) !== Attributes.otherUrls);
  if (named === undefined) return rest;
  const at = rest.findIndex((own) => nameOf(own) === Attributes.md5) + 1 || rest.length;
  return rest.toSpliced(at, 0, named);
}

/** The field of a page's other addresses. */
export function othersField(others: readonly string[]): readonly Field[] {
  return others.length === 0 ? [] : [[Attributes.otherUrls, others.join('\n')]];
}

/** A summary that names the other addresses of its page. */
export function naming(summary: Summary, others: readonly string[] | undefined): Summary {
  if (others === undefined) return summary;
  const [named] = othersField(others);
  return { ...summary, attributes: withOthers(summary.attributes, ([name]) => name, named) };
}
