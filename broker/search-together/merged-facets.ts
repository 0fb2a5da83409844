import type { Facet } from '../engines/index.ts';
import type { SearchAnswer } from '../searching/index.ts';

type Facets = SearchAnswer['facets'];

/** Values of one facet, and facets besides source and type, that are told at the most. */
const maxValues = 100;
const maxFacets = 16;

const times: ReadonlySet<string> = new Set(['year', 'month']);

const byCount = (a: Facet, b: Facet) => b.count - a.count || (a.value < b.value ? -1 : 1);
const newestFirst = (a: Facet, b: Facet) => (a.value < b.value ? 1 : -1);

/** The same value counted by several, as one; the first says what else there is to it. */
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
 * The counts of several Brokers as of one; an object that two of them have counts twice. Without filters, before which
 * facets are counted, what a Broker counts more often than it has objects that match is taken for as many as those.
 */
export function mergedFacets(
  answers: readonly Pick<SearchAnswer, 'facets' | 'total'>[],
  isFiltered: boolean,
): Facets {
  const told = answers.map(({ facets, total }): Facets => {
    const within = <Value extends Facet>(list: readonly Value[]) =>
      isFiltered ? list : list.map((one) => ({ ...one, count: Math.min(one.count, total) }));
    return {
      source: within(facets.source),
      type: within(facets.type),
      more: facets.more.map(({ name, values }) => ({ name, values: within(values) })),
    };
  });
  const names = [...new Set(told.flatMap(({ more }) => more.map(({ name }) => name)))].slice(0, maxFacets);
  return {
    source: summed(
      told.map(({ source }) => source),
      byCount,
    ),
    type: summed(
      told.map(({ type }) => type),
      byCount,
    ),
    more: names.map((name) => ({
      name,
      values: summed(
        told.map(({ more }) => more.find((facet) => facet.name === name)?.values ?? []),
        times.has(name) ? newestFirst : byCount,
      ),
    })),
  };
}
