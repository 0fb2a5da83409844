import type { Facet, SearchRequest } from '../search-engine.ts';
import type { DocColumns } from './doc-columns.ts';
import { FacetKind, type FacetValues } from './facet-values.ts';

/** Matches after filters, and how many there are of each source and type before the filter on it. */
export interface Counted {
  readonly docnos: Uint32Array;
  readonly source: readonly Facet[];
  readonly type: readonly Facet[];
}

/** Largest first, then by name; '' (none) is not a facet. */
export function sortedFacets(counts: Iterable<readonly [value: string, count: number]>): Facet[] {
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .filter(({ value, count }) => value !== '' && count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** Drop dead docnos and those the filters refuse, and count. */
export function countFacets(
  candidates: Uint32Array,
  columns: DocColumns,
  values: FacetValues,
  request: Pick<SearchRequest, 'sources' | 'types'>,
): Counted {
  const numbersOf = (kind: 0 | 1, names: readonly string[] | undefined) =>
    names && new Set(names.map((name) => values.number(kind, name)));
  const sources = numbersOf(FacetKind.source, request.sources);
  const types = numbersOf(FacetKind.type, request.types);
  const bySource = new Uint32Array(values.count(FacetKind.source));
  const byType = new Uint32Array(values.count(FacetKind.type));
  const kept = new Uint32Array(candidates.length);
  let count = 0;
  for (const docno of candidates) {
    const source = columns.source(docno);
    if (source === 0) continue;
    const type = columns.type(docno);
    const sourceWanted = sources === undefined || sources.has(source);
    const typeWanted = types === undefined || types.has(type);
    if (typeWanted) bySource[source] = (bySource[source] as number) + 1;
    if (sourceWanted) byType[type] = (byType[type] as number) + 1;
    if (sourceWanted && typeWanted) kept[count++] = docno;
  }
  const named = (kind: 0 | 1, counts: Uint32Array) => {
    const found: [value: string, count: number][] = [];
    for (const [number, times] of counts.entries())
      if (times > 0) found.push([values.name(kind, number), times]);
    return sortedFacets(found);
  };
  return {
    docnos: kept.subarray(0, count),
    source: named(FacetKind.source, bySource),
    type: named(FacetKind.type, byType),
  };
}
