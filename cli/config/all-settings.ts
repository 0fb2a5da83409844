import { brokerSettings } from '../../broker/settings.ts';
import { cacheSettings } from '../../cache/settings.ts';
import { exchangeSettings } from '../../exchange/settings.ts';
import { fetchSettings } from '../../fetch/settings.ts';
import { gathererSettings } from '../../gatherer/settings.ts';
import { httpSettings } from '../../http/settings.ts';
import type { Setting } from '../../kernel/index.ts';
import { registrationSettings, registrySettings } from '../../registry/settings.ts';
import { storeSettings } from '../../store/settings.ts';
import { pageSettings } from '../../web/settings.ts';
import { wireSettings } from '../../wire/settings.ts';

export const settingsOfGatherer: readonly Setting[] = [
  ...gathererSettings,
  ...fetchSettings,
  ...storeSettings,
];

export const settingsOfBroker: readonly Setting[] = [
  ...brokerSettings,
  ...pageSettings,
  ...exchangeSettings,
  ...storeSettings,
];

export const settingsOfCache: readonly Setting[] = cacheSettings;

export const settingsOfRegistry: readonly Setting[] = [...registrySettings, ...settingsOfBroker];

export const settingsOfServers: readonly Setting[] = [
  ...httpSettings,
  ...wireSettings,
  ...registrationSettings,
];

/** For commands that ask a Registry and do not register. */
export const settingsOfAsking: readonly Setting[] = registrationSettings.filter(
  ({ key }) => key === 'server.registry',
);

/** Every setting, once. */
export const allSettings: readonly Setting[] = [
  ...gathererSettings,
  ...fetchSettings,
  ...brokerSettings,
  ...pageSettings,
  ...exchangeSettings,
  ...storeSettings,
  ...cacheSettings,
  ...httpSettings,
  ...wireSettings,
  ...registrationSettings,
  ...registrySettings,
];
