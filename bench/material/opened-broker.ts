import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Broker, brokerSettings, SegmentedEngine } from '../../broker/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';

/** A Broker of a data folder in this process, without sources. */
export interface OpenedBroker extends AsyncDisposable {
  readonly broker: Broker;
  readonly engine: SegmentedEngine;
}

/** The default facets of `garner broker serve`: with other attributes it would rebuild the index. */
const facetAttributes = brokerSettings.flatMap((setting) =>
  setting.key === 'broker.facets' && setting.kind === 'list' ? setting.default : [],
);

/** Open a Broker as `garner broker serve` does, without port and pages. */
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

/** Bytes of all files below a folder. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const file = await stat(join(folder, name));
    if (file.isFile()) bytes += file.size;
  }
  return bytes;
}
