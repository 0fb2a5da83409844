import { brokerSettings } from '../broker/index.ts';
import { cacheSettings } from '../cache/index.ts';
import { exchangeSettings } from '../exchange/index.ts';
import { fetchSettings } from '../fetch/index.ts';
import { enumerationSettings, gathererSettings } from '../gatherer/index.ts';
import { httpSettings } from '../http/index.ts';
import type { Setting } from '../kernel/index.ts';
import { storeSettings } from '../store/index.ts';
import { wireSettings } from '../wire/index.ts';

/** What a Gatherer takes. */
export const settingsOfGatherer: readonly Setting[] = [
  ...gathererSettings,
  ...enumerationSettings,
  ...fetchSettings,
  ...storeSettings,
];

/** What a Broker takes. */
export const settingsOfBroker: readonly Setting[] = [
  ...brokerSettings,
  ...exchangeSettings,
  ...storeSettings,
];

/** What an Object Cache takes. */
export const settingsOfCache: readonly Setting[] = cacheSettings;

/** What every server that listens takes. */
export const settingsOfServers: readonly Setting[] = [...httpSettings, ...wireSettings];

/** Every setting there is, once. */
export const allSettings: readonly Setting[] = [
  ...gathererSettings,
  ...enumerationSettings,
  ...fetchSettings,
  ...brokerSettings,
  ...exchangeSettings,
  ...storeSettings,
  ...cacheSettings,
  ...httpSettings,
  ...wireSettings,
];
