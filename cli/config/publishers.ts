import { type Publisher, readPublishers } from '../../broker/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

/** The publishers of `broker.publishers`. Throws CLI_BAD_SETTING. */
export function publishersOf(config: EffectiveConfig): readonly Publisher[] {
  try {
    return readPublishers(config.list('broker.publishers'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badSetting(
      config,
      'broker.publishers',
      `has ${error.message}, which is not a URL prefix and a publisher`,
      'write   https://harbour.example/ NAME   with the name of a write token or the ID.KEY of a server',
      error,
    );
  }
}
