import { Broker, brokerSettings, SegmentedEngine } from '../../broker/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';

/** A Broker of a data folder in this process, which collects from nobody. */
export interface OpenedBroker extends AsyncDisposable {
  readonly broker: Broker;
  readonly engine: SegmentedEngine;
}

/** What `garner broker serve` counts when it is told nothing: with other attributes it would index anew. */
const facetAttributes = brokerSettings.flatMap((setting) =>
  setting.key === 'broker.facets' && setting.kind === 'list' ? setting.default : [],
);

/** Open it as `garner broker serve` does, without port and pages. */
export async function openBrokerOf(path: string, { create = false } = {}): Promise<OpenedBroker> {
  const [clock, random] = [systemClock, systemRandom];
  const folder = await openDataFolder(path, { role: 'broker', create, clock, random });
  const engine = await SegmentedEngine.open({
    database: await folder.database('index'),
    facetAttributes,
    objectOf: async (oid) => {
      const stored = await folder.store.get(oid);
      return stored === undefined ? undefined : decodeObject(stored.body);
    },
  });
  const broker = await Broker.open({
    ...{ folder, engine, name: 'bench', sources: [], clock, random },
    ...{ intervalSeconds: 300, graceSeconds: 3600, snippetLength: 240, deleteGuard: 0.2 },
  });
  return {
    broker,
    engine,
    [Symbol.asyncDispose]: async () => {
      await broker[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
