import {
  Broker,
  brokerSettings,
  glimpseEngine,
  type SearchEngine,
  SegmentedEngine,
  SelfRepairingEngine,
} from '../broker/index.ts';
import { systemClock, systemRandom } from '../kernel/index.ts';
import { decodeObject, type Oid } from '../soif/index.ts';
import { type Database, type ObjectStore, openDataFolder } from '../store/index.ts';

export const engineNames = ['flexsearch', 'glimpse'] as const;
export type EngineName = (typeof engineNames)[number];

type OpenedEngine = SearchEngine & { settled(): Promise<void> };

/** An engine over a database, reading the objects of a store. */
export async function engineOver(
  name: EngineName,
  database: Database,
  store: ObjectStore,
  facetAttributes: readonly string[] = [],
): Promise<OpenedEngine> {
  const bodyOf = async (oid: Oid) => (await store.get(oid))?.body;
  if (name === 'glimpse')
    return (await glimpseEngine()).open({
      database,
      facetAttributes,
      bodiesOf: (oids) => Promise.all(oids.map(bodyOf)),
    });
  return SegmentedEngine.open({
    database,
    facetAttributes,
    objectOf: async (oid) => {
      const body = await bodyOf(oid);
      return body === undefined ? undefined : decodeObject(body);
    },
  });
}

/** The default facets of `garner broker serve`: an index with other facets is rebuilt. */
export const servedFacets = brokerSettings.find(({ key }) => key === 'broker.facets')
  ?.default as readonly string[];

/** A Broker without sources over a data folder, opened as `garner broker serve` opens one. */
export async function openTopicBroker(
  path: string,
  name: EngineName = 'flexsearch',
  facetAttributes: readonly string[] = servedFacets,
) {
  const folder = await openDataFolder(path, {
    role: 'broker',
    create: true,
    clock: systemClock,
    random: systemRandom,
  });
  const { store } = folder;
  const reasons: string[] = [];
  const database = await folder.renewable(name === 'flexsearch' ? 'index' : `index-${name}`);
  const engine = await SelfRepairingEngine.open({
    database,
    clock: systemClock,
    open: (over) => engineOver(name, over, store, facetAttributes),
    renewed: (reason) => reasons.push(reason),
  });
  const broker = await Broker.open({
    ...{ folder, engine, name: 'topic', sources: [], clock: systemClock, random: systemRandom },
    ...{ intervalSeconds: 600, graceSeconds: 3600, snippetLength: 120, deleteGuard: 0.2 },
  });
  return {
    ...{ broker, engine, database, store },
    /** The reasons for each rebuild of the index. */
    reasons: reasons as readonly string[],
    [Symbol.asyncDispose]: async () => {
      await broker[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
