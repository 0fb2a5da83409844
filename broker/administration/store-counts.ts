import type { EngineAnswer } from '../engines/index.ts';
import type { Broker } from '../service/index.ts';

/** Size of the sample for uncounted figures. An OID is a hash, so the first objects are a fair sample. */
const sampleSize = 2000;

/** The sample is taken again when the store has changed and the sample is at least this old; milliseconds. */
const sampleMs = 60_000;

const ages = [3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];

interface Cached<Value> {
  readonly of: string;
  readonly value: Promise<Value>;
}

export interface AgeCounts {
  /** Objects in the sample of ages. */
  readonly sampled: number;
  /** The sample by the time since the last summary: up to this many seconds, null for older ones. */
  readonly byAge: readonly { readonly upTo: number | null; readonly count: number }[];
}

/** Counts of a Broker's objects. Requesting them again while nothing has changed reads nothing. */
export class StoreCounts {
  readonly #broker: Broker;
  #facets: Cached<EngineAnswer['facets']> | undefined;
  #times: (Cached<readonly number[]> & { readonly at: number }) | undefined;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /** The facets of all objects, as of the current index. */
  async facets(): Promise<EngineAnswer['facets']> {
    const { engine } = this.#broker;
    const of = `${engine.lsn} ${engine.count}`;
    if (this.#facets?.of !== of) {
      const all = { query: { kind: 'all' as const }, limit: 0, offset: 0 };
      this.#facets = { of, value: engine.search(all).then(({ facets }) => facets) };
    }
    const cached = this.#facets;
    return cached.value.catch((error) => {
      if (this.#facets === cached) this.#facets = undefined;
      throw error;
    });
  }

  /** Ages of a sample at `now`, in seconds since 1970. The sample is at most a minute behind. */
  async ages(now: number): Promise<AgeCounts> {
    const { clock, folder } = this.#broker;
    const of = `${folder.store.epoch} ${folder.store.lsn}`;
    const isOld = this.#times === undefined || clock.now() - this.#times.at >= sampleMs;
    if (this.#times === undefined || (isOld && this.#times.of !== of))
      this.#times = { of, at: clock.now(), value: sampledTimes(this.#broker) };
    const cached = this.#times;
    const times = await cached.value.catch((error) => {
      if (this.#times === cached) this.#times = undefined;
      throw error;
    });
    const byAge = [...ages, null].map((upTo) => ({ upTo, count: 0 }));
    for (const time of times) {
      const row = byAge.find(({ upTo }) => upTo === null || now - time <= upTo);
      if (row !== undefined) row.count++;
    }
    return { sampled: times.length, byAge };
  }
}

/** The times at which a sample of the objects was summarised. No contents are read. */
async function sampledTimes({ folder }: Broker): Promise<readonly number[]> {
  const times: number[] = [];
  await using snapshot = await folder.store.snapshot();
  for await (const { updatedAt } of snapshot.sample(sampleSize)) times.push(updatedAt);
  return times;
}
