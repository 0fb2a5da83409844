import type { EffectiveConfig } from '../config/config.ts';
import type { Mistakes } from '../config/config-errors.ts';
import { cacheAccess } from './access.ts';
import { acceleratedOrigins } from './origins.ts';
import { configuredPeers } from './peers.ts';
import { cachePolicy } from './policy.ts';
import { cacheSizes } from './sizes.ts';

/** Note the mistakes with which an Object Cache would refuse to start. */
export function checkCacheSettings(config: EffectiveConfig, mistakes: Mistakes): void {
  for (const read of [acceleratedOrigins, configuredPeers, cachePolicy, cacheAccess, cacheSizes])
    mistakes.attempt(() => read(config));
}
