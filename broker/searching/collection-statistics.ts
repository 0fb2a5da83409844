import type { CollectionStatistics, TermStatistics } from '../engines/index.ts';

/** Max terms in one query's statistics, and max UTF-16 units of their text. */
export const statisticsBounds = { terms: 256, length: 12_000 } as const;

export function summedStatistics(all: readonly CollectionStatistics[]): CollectionStatistics {
  const terms = new Map<string, TermStatistics>();
  for (const { field, term, objects, occurrences } of all.flatMap((one) => one.terms)) {
    const known = terms.get(`${field} ${term}`);
    terms.set(`${field} ${term}`, {
      ...{ field, term, objects: objects + (known?.objects ?? 0) },
      occurrences: occurrences + (known?.occurrences ?? 0),
    });
  }
  return { objects: all.reduce((sum, { objects }) => sum + objects, 0), terms: [...terms.values()] };
}

/** Statistics as text for a URL. Only the commonest terms, where all would be too long. */
export function statisticsText({ objects, terms }: CollectionStatistics): string {
  const rows = [...terms]
    .sort((a, b) => b.objects - a.objects)
    .slice(0, statisticsBounds.terms)
    .map(({ field, term, objects: holding, occurrences }) => [field, term, holding, occurrences]);
  for (;;) {
    const text = JSON.stringify([objects, ...rows]);
    if (text.length <= statisticsBounds.length) return text;
    rows.pop();
  }
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
