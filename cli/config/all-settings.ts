import { brokerSettings } from '../../broker/settings.ts';
import { cacheSettings } from '../../cache/settings.ts';
import { exchangeSettings } from '../../exchange/settings.ts';
import { fetchSettings } from '../../fetch/settings.ts';
import { gathererSettings } from '../../gatherer/settings.ts';
import { httpSettings } from '../../http/settings.ts';
import type { Setting } from '../../kernel/index.ts';
import { storeSettings } from '../../store/settings.ts';
import { wireSettings } from '../../wire/settings.ts';

/** The settings of a Gatherer. */
export const settingsOfGatherer: readonly Setting[] = [
  ...gathererSettings,
  ...fetchSettings,
  ...storeSettings,
];

/** The settings of a Broker. */
export const settingsOfBroker: readonly Setting[] = [
  ...brokerSettings,
  ...exchangeSettings,
  ...storeSettings,
];

/** The settings of an Object Cache. */
export const settingsOfCache: readonly Setting[] = cacheSettings;

/** The settings of every server that listens. */
export const settingsOfServers: readonly Setting[] = [...httpSettings, ...wireSettings];

/** Every setting, once. */
export const allSettings: readonly Setting[] = [
  ...gathererSettings,
  ...fetchSettings,
  ...brokerSettings,
  ...exchangeSettings,
  ...storeSettings,
  ...cacheSettings,
  ...httpSettings,
  ...wireSettings,
];
