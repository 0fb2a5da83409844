import { reindexing } from '../../../broker/events.ts';
import {
  type FlexsearchOptions,
  glimpseEngine,
  indexName,
  type SearchEngine,
  SegmentedEngine,
  SelfRepairingEngine,
} from '../../../broker/index.ts';
import type { GlimpseSize } from '../../../broker/settings.ts';
import { systemClock } from '../../../kernel/index.ts';
import type { Language } from '../../../query/index.ts';
import { decodeObject, type Oid } from '../../../soif/index.ts';
import type { DataFolder, RenewableDatabase } from '../../../store/index.ts';
import type { EffectiveConfig } from '../../config/config.ts';

/** An engine with work in the background. */
export type UpkeptEngine = SearchEngine & { settled(): Promise<void> };

const bodiesAtOnce = 16;

/** The ranking signals beside the text, where there are any. */
function signalsOf(config: EffectiveConfig): Pick<FlexsearchOptions, 'signals'> {
  const [freshness, popularity] = [
    config.count('broker.freshness') / 100,
    config.count('broker.popularity') / 100,
  ];
  if (freshness + popularity === 0) return {};
  const halfLifeSeconds = Math.max(1, config.seconds('broker.freshness-half-life'));
  return { signals: { freshness, popularity, halfLifeSeconds, clock: systemClock } };
}

/** The engine that `broker.engine` names, over an index of its own in the data folder. */
export async function openEngine(
  folder: DataFolder,
  config: EffectiveConfig,
  { create }: { readonly create: boolean },
): Promise<SelfRepairingEngine<UpkeptEngine>> {
  const name = config.text('broker.engine');
  // A command that only searches takes the index as it is.
  const given = create ? { language: config.text('broker.language') as Language } : {};
  const bodyOf = async (oid: Oid) => (await folder.store.get(oid))?.body;
  const engines: Readonly<Record<string, (database: RenewableDatabase) => Promise<UpkeptEngine>>> = {
    flexsearch: (database) =>
      SegmentedEngine.open({
        ...given,
        database,
        feedback: config.flag('broker.feedback'),
        positions: config.flag('broker.positions'),
        facetAttributes: config.list('broker.facets'),
        ...signalsOf(config),
        objectOf: async (oid) => {
          const body = await bodyOf(oid);
          return body === undefined ? undefined : decodeObject(body);
        },
      }),
    glimpse: async (database) =>
      (await glimpseEngine()).open({
        ...given,
        database,
        size: config.text('broker.glimpse-size') as GlimpseSize,
        facetAttributes: config.list('broker.facets'),
        bodiesOf: async (oids) => {
          const bodies: (Uint8Array | undefined)[] = [];
          for (let at = 0; at < oids.length; at += bodiesAtOnce)
            bodies.push(...(await Promise.all(oids.slice(at, at + bodiesAtOnce).map(bodyOf))));
          return bodies;
        },
      }),
  };
  return SelfRepairingEngine.open({
    database: await folder.renewable(indexName(name)),
    clock: systemClock,
    open: (database) => (engines[name] as (database: RenewableDatabase) => Promise<UpkeptEngine>)(database),
    renewed: (reason) => reindexing.publish({ engine: name, reason }),
  });
}
