import type { Collector, SourceRow } from '../collecting/index.ts';
import type { SearchEngine } from '../engines/index.ts';
import type { Collecting, SourceSummary } from '../searching/index.ts';

/** Every source as answers name it; `former` are those that are no longer collected from. */
export function sourceSummaries(
  { status }: Pick<Collector, 'status'>,
  former: readonly SourceRow[],
): readonly SourceSummary[] {
  const now = status.map(
    ({ serverId, url, name, state, error, lastLearnedAt }): SourceSummary => ({
      id: serverId ?? url,
      name,
      state: state === 'ok' || state === 'full' ? 'ok' : lastLearnedAt === null ? 'down' : 'stale',
      ...(state === 'paused' ? { error: 'paused' } : error === null ? {} : { error }),
    }),
  );
  const others = former.map(
    ({ serverId, name }): SourceSummary => ({
      ...{ id: serverId, name, state: 'stale', error: 'no longer collected from' },
    }),
  );
  return [...now, ...others];
}

/** What is collected for the first time; undefined when every source that answers has finished a round. */
export function firstCollecting(
  { status, isFilling }: Pick<Collector, 'status' | 'isFilling'>,
  { count }: Pick<SearchEngine, 'count'>,
): Collecting | undefined {
  const first = status.filter(({ state, lastLearnedAt }) => state === 'connecting' && lastLearnedAt === null);
  if (first.length === 0 && !isFilling) return undefined;
  return { objects: count, sources: first.map(({ name }) => name) };
}
