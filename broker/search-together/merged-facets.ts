import type { Facet } from '../engines/index.ts';
import type { SearchAnswer } from '../searching/index.ts';

type Facets = SearchAnswer['facets'];

/** Max values of one facet, and max facets besides source and type. */
const maxValues = 100;
const maxFacets = 16;

const times: ReadonlySet<string> = new Set(['year', 'month']);

const byCount = (a: Facet, b: Facet) => b.count - a.count || (a.value < b.value ? -1 : 1);
const newestFirst = (a: Facet, b: Facet) => (a.value < b.value ? 1 : -1);

/** Sum the counts of equal values. The other fields come from the first list. */
function summed<Value extends Facet>(lists: readonly (readonly Value[])[], order: typeof byCount): Value[] {
  const sums = new Map<string, Value>();
  for (const one of lists.flat()) {
    const known = sums.get(one.value);
    const count = Math.min(Number.MAX_SAFE_INTEGER, one.count + (known?.count ?? 0));
    sums.set(one.value, { ...(known ?? one), count });
  }
  return [...sums.values()].sort(order).slice(0, maxValues);
}

/**
 * Add up the counts of several Brokers. Without filters, a count is at most the Broker's number of matching
 * objects; with them there is no such limit, because facets are counted before them.
 */
export function mergedFacets(
  answers: readonly Pick<SearchAnswer, 'facets' | 'total'>[],
  isFiltered: boolean,
): Facets {
  const bounded = answers.map(({ facets, total }): Facets => {
    const within = <Value extends Facet>(list: readonly Value[]) =>
      isFiltered ? list : list.map((one) => ({ ...one, count: Math.min(one.count, total) }));
    return {
      source: within(facets.source),
      type: within(facets.type),
      more: facets.more.map(({ name, values }) => ({ name, values: within(values) })),
    };
  });
  const names = [...new Set(bounded.flatMap(({ more }) => more.map(({ name }) => name)))].slice(0, maxFacets);
  return {
    source: summed(
      bounded.map(({ source }) => source),
      byCount,
    ),
    type: summed(
      bounded.map(({ type }) => type),
      byCount,
    ),
    more: names.map((name) => ({
      name,
      values: summed(
        bounded.map(({ more }) => more.find((facet) => facet.name === name)?.values ?? []),
        times.has(name) ? newestFirst : byCount,
      ),
    })),
  };
}
