import type { CollectionStatistics, TermStatistics } from '../engines/index.ts';

/** Max terms in one query's statistics, and max UTF-16 units of their text. */
export const statisticsBounds = { terms: 256, length: 12_000 } as const;

/** The text of as many terms as fit into it, from the first one on. */
function fitting({ objects, terms }: CollectionStatistics) {
  const rows: string[] = [];
  let length = String(objects).length + 2;
  for (const { field, term, objects: holding, occurrences } of terms.slice(0, statisticsBounds.terms)) {
    const row = JSON.stringify([field, term, holding, occurrences]);
    length += row.length + 1;
    if (length > statisticsBounds.length) break;
    rows.push(row);
  }
  return { text: `[${[objects, ...rows].join()}]`, terms: rows.length };
}

/**
 * The statistics of several indexes as those of one. Where not all terms fit into a request, those of the most indexes
 * remain, so that one index cannot displace the terms of the others.
 */
export function summedStatistics(all: readonly CollectionStatistics[]): CollectionStatistics {
  const sums = new Map<string, { readonly term: TermStatistics; readonly indexes: number }>();
  for (const one of all)
    for (const [key, term] of new Map(one.terms.map((term) => [`${term.field} ${term.term}`, term]))) {
      const known = sums.get(key);
      const objects = term.objects + (known?.term.objects ?? 0);
      const occurrences = term.occurrences + (known?.term.occurrences ?? 0);
      sums.set(key, { term: { ...term, objects, occurrences }, indexes: 1 + (known?.indexes ?? 0) });
    }
  const terms = [...sums.values()]
    .sort((a, b) => b.indexes - a.indexes || b.term.objects - a.term.objects)
    .map(({ term }) => term);
  const objects = all.reduce((sum, one) => sum + one.objects, 0);
  return { objects, terms: terms.slice(0, fitting({ objects, terms }).terms) };
}

/** Statistics as text for a URL. Only the commonest terms, where all would be too long. */
export function statisticsText({ objects, terms }: CollectionStatistics): string {
  return fitting({ objects, terms: [...terms].sort((a, b) => b.objects - a.objects) }).text;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function termFrom(row: unknown): TermStatistics | undefined {
  if (!Array.isArray(row)) return undefined;
  const [field, term, objects, occurrences] = row as readonly unknown[];
  return typeof field === 'string' && typeof term === 'string' && isCount(objects) && isCount(occurrences)
    ? { field, term, objects, occurrences }
    : undefined;
}

/** Read the text of `statisticsText`; undefined for any other text. */
export function statisticsFrom(text: string): CollectionStatistics | undefined {
  if (text.length > statisticsBounds.length) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(json) || json.length > statisticsBounds.terms + 1) return undefined;
  const [objects, ...rows] = json as readonly unknown[];
  const terms = rows.map(termFrom);
  return isCount(objects) && terms.every((term) => term !== undefined) ? { objects, terms } : undefined;
}
