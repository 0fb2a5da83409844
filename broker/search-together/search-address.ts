import { type SearchParameters, statisticsText } from '../searching/index.ts';

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');

/** The path and query string of a `/search` request; `searchParameters` reads these parameters from it. */
export function searchAddress(parameters: SearchParameters): string {
  const { q, limit, offset, sources, types, filters = [], order, perSource, cursor } = parameters;
  const { statistics, options = {}, exact = false, fold = false, widen = true, correct = true } = parameters;
  const query = new URLSearchParams({ q, limit: String(limit), offset: String(offset) });
  for (const source of sources) query.append('source', source);
  for (const type of types) query.append('type', type);
  for (const { facet, values } of filters)
    for (const value of values) query.append('filter', `${facet}:${value}`);
  if (order !== undefined) query.set('sort', `${order.reversed ? '-' : ''}${order.by}`);
  if (fold) query.set('fold', '1');
  if (perSource !== undefined) query.set('per-source', String(perSource));
  if (cursor !== undefined) query.set('cursor', cursor);
  if (exact) query.set('exact', '1');
  if (!widen) query.set('widen', 'no');
  if (!correct) query.set('correct', 'no');
  for (const name of ['case', 'part'] as const)
    if (options[name] !== undefined) query.set(name, yesOrNo(options[name]));
  for (const name of ['errors', 'lines', 'max'] as const)
    if (options[name] !== undefined) query.set(name, String(options[name]));
  if (statistics !== undefined) query.set('statistics', statisticsText(statistics));
  return `/search?${query}`;
}
