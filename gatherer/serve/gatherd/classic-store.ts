import type { Clock } from '../../../kernel/index.ts';
import {
  Attributes,
  decodeObject,
  isOid,
  oidOf,
  type SummaryObject,
  summaryObject,
} from '../../../soif/index.ts';
import type { DataFolder } from '../../../store/index.ts';
import { type ClassicStream, unpacked } from '../../publish/index.ts';
import type { ClassicSource } from './classic-source.ts';

/** A Gatherer as its gatherd port tells of it. */
export interface ClassicGatherer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
  readonly clock: Clock;
}

/** The production store of a data folder and its stream, as gatherd serves them. */
export function classicSource(
  { store, identity }: Pick<DataFolder, 'store' | 'identity'>,
  stream: ClassicStream,
  gatherer: ClassicGatherer,
): ClassicSource {
  return {
    state: async () => ({ objects: (await store.state()).count }),
    info: async () => gathererObject(gatherer),
    object: async (id) => {
      const held = await store.get(isOid(id) ? id : oidOf(identity.serverId, id));
      return held === undefined ? undefined : decodeObject(held.body);
    },
    updates: async function* (since) {
      yield* since === 0 ? unpacked(await stream.everything()) : stream.changes(String(since));
    },
    everything: () => stream.everything(),
  };
}

/** A Gatherer's description of itself, an object of type GATHERER (Harvest: INFO.soif). */
function gathererObject(gatherer: ClassicGatherer): SummaryObject {
  const { name, host, port, version, ttlSeconds, refreshSeconds, clock } = gatherer;
  const attributes: [string, string | number][] = [
    [Attributes.gathererName, name],
    [Attributes.gathererHost, host],
    ['Gatherer-Port', port],
    [Attributes.gathererVersion, version],
    [Attributes.timeToLive, ttlSeconds],
    [Attributes.refreshRate, refreshSeconds],
    [Attributes.updateTime, Math.floor(clock.now() / 1000)],
  ];
  return summaryObject(`gatherer://${host}:${port}/`, attributes, 'GATHERER');
}
