import type { Facet } from '../engines/index.ts';
import { queryAnswered } from '../events.ts';
import type { Broker } from '../service/index.ts';
import type { AgeCounts, StoreCounts } from './store-counts.ts';

/** Figures of a Broker, for people. Times are seconds, sizes bytes. */
export interface Statistics extends AgeCounts {
  readonly objects: number;
  readonly summaryBytes: number;
  readonly blocked: number;
  /** URLs that several Gatherers have summarised, for example after one was set up again. */
  readonly duplicateUrls: number;
  readonly bySource: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  readonly byType: readonly Facet[];
  /** By the language of their index. */
  readonly byLanguage: readonly Facet[];
  readonly index: { readonly engine: string; readonly objects: number; readonly behind: number };
  readonly queries: QueryFigures;
}

export interface QueryFigures {
  readonly answered: number;
  readonly withoutResult: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

const maxValues = 50;

/** Counts answered queries until it is disposed. */
export class QueryCounter implements Disposable {
  #answered = 0;
  #withoutResult = 0;
  #ms = 0;
  #maxMs = 0;
  readonly #stop = queryAnswered.subscribe(({ total, ms }) => {
    this.#answered++;
    if (total === 0) this.#withoutResult++;
    this.#ms += ms;
    this.#maxMs = Math.max(this.#maxMs, ms);
  });

  get figures(): QueryFigures {
    const rounded = (ms: number) => Math.round(ms * 100) / 100;
    return {
      answered: this.#answered,
      withoutResult: this.#withoutResult,
      meanMs: this.#answered === 0 ? 0 : rounded(this.#ms / this.#answered),
      maxMs: rounded(this.#maxMs),
    };
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Count the objects now. Earlier counts are reused while nothing has changed. */
export async function statisticsOf(
  broker: Broker,
  { queries, counts }: { readonly queries: QueryFigures; readonly counts: StoreCounts },
): Promise<Statistics> {
  const { engine, folder, indexer, orders, clock } = broker;
  const { store } = folder;
  const [facets, { sampled, byAge }] = await Promise.all([counts.facets(), counts.ages(clock.now() / 1000)]);
  const names = new Map(broker.sources().map(({ id, name }) => [id, name]));
  return {
    objects: store.count,
    summaryBytes: store.bodyBytes,
    blocked: orders.blocks.count,
    duplicateUrls: broker.duplicateUrls,
    bySource: facets.source
      .slice(0, maxValues)
      .map(({ value, count }) => ({ id: value, name: names.get(value) ?? value, count })),
    byType: facets.type.slice(0, maxValues),
    byLanguage: counted(engine.languages),
    sampled,
    byAge,
    index: { engine: engine.name, objects: engine.count, behind: store.lsn - indexer.lsn },
    queries,
  };
}

function counted(counts: ReadonlyMap<string, number>): readonly Facet[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues);
}
