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

/** The data of the gatherd port: a Gatherer's production store as SOIF. */
export interface ClassicSource {
  /** Number of objects. */
  state(): Promise<{ readonly objects: number }>;
  /** The Gatherer's description of itself, an object of type GATHERER (Harvest: INFO.soif). */
  info(): Promise<SummaryObject>;
  /** The object of an identifier (an OID, or a URL as with the original), or undefined. */
  object(id: string): Promise<SummaryObject | undefined>;
  /**
   * The changes since a time in seconds since 1970, as SOIF text in the sections @DELETE, @REFRESH and @UPDATE; 0 means
   * everything. It is produced at the reader's pace; ending it early releases its resources.
   */
  updates(since: number): AsyncIterable<Uint8Array>;
  /** The same for 0, as a prepared gzip file (Harvest: All-Templates.gz); undefined when there is no such file. */
  everything?(): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** A Gatherer's description of itself on its gatherd port. */
export interface ClassicGatherer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
  readonly clock: Clock;
}

/** The source of a data folder's production store and its stream. */
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
