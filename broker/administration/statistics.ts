import type { Broker } from '../broker.ts';
import { queryAnswered } from '../events.ts';

export interface Counted {
  readonly value: string;
  readonly count: number;
}

/** What a Broker has and does, for people. Times are seconds, sizes bytes. */
export interface Statistics {
  readonly objects: number;
  readonly summaryBytes: number;
  readonly blocked: number;
  readonly bySource: readonly { readonly id: string; readonly name: string; readonly count: number }[];
  readonly byType: readonly Counted[];
  /** By the language that they are searched in. */
  readonly byLanguage: readonly Counted[];
  /** Objects that were looked at for age. */
  readonly sampled: number;
  /** Of these, by the time since their last summary: up to so many seconds, null for older ones. */
  readonly byAge: readonly { readonly upTo: number | null; readonly count: number }[];
  readonly index: { readonly engine: string; readonly objects: number; readonly behind: number };
  readonly queries: QueryFigures;
}

/** Queries answered since the start. */
export interface QueryFigures {
  readonly answered: number;
  readonly withoutResult: number;
  readonly meanMs: number;
  readonly longestMs: number;
}

/** Objects that are read for what no index counts: an OID is a hash, so the first ones are as good as any. */
const sampleSize = 2000;

const mostValues = 50;

const ages = [3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];

/** Counts the queries that are answered, until disposed. */
export class QueryCounter implements Disposable {
  #answered = 0;
  #withoutResult = 0;
  #ms = 0;
  #longestMs = 0;
  readonly #stop = queryAnswered.subscribe(({ total, ms }) => {
    this.#answered++;
    if (total === 0) this.#withoutResult++;
    this.#ms += ms;
    this.#longestMs = Math.max(this.#longestMs, ms);
  });

  get figures(): QueryFigures {
    const rounded = (ms: number) => Math.round(ms * 100) / 100;
    return {
      answered: this.#answered,
      withoutResult: this.#withoutResult,
      meanMs: this.#answered === 0 ? 0 : rounded(this.#ms / this.#answered),
      longestMs: rounded(this.#longestMs),
    };
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Count what there is. Reads at most some thousand objects, however many there are. */
export async function statisticsOf(broker: Broker, queries: QueryFigures): Promise<Statistics> {
  const { engine, folder, indexer, orders } = broker;
  const { store } = folder;
  const all = { query: { kind: 'all' as const }, limit: 0, offset: 0 };
  const { facets } = await engine.search(all);
  const names = new Map(broker.sources().map(({ id, name }) => [id, name]));
  const { sampled, byAge } = await sample(broker);
  return {
    objects: store.count,
    summaryBytes: store.bodyBytes,
    blocked: orders.blocks.count,
    bySource: facets.source
      .slice(0, mostValues)
      .map(({ value, count }) => ({ id: value, name: names.get(value) ?? value, count })),
    byType: facets.type.slice(0, mostValues),
    byLanguage: counted(engine.languages),
    sampled,
    byAge,
    index: { engine: engine.name, objects: engine.count, behind: store.lsn - indexer.lsn },
    queries,
  };
}

async function sample(broker: Broker) {
  const now = broker.clock.now() / 1000;
  const byAge = [...ages, null].map((upTo) => ({ upTo, count: 0 }));
  let sampled = 0;
  await using snapshot = await broker.folder.store.snapshot();
  for await (const { oid } of snapshot.scan()) {
    const object = await snapshot.get(oid);
    if (object === undefined) continue;
    const age = now - object.updatedAt;
    const row = byAge.find(({ upTo }) => upTo === null || age <= upTo);
    if (row !== undefined) row.count++;
    if (++sampled >= sampleSize) break;
  }
  return { sampled, byAge };
}

function counted(counts: ReadonlyMap<string, number>): readonly Counted[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues);
}
