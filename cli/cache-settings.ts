import { cacheAccess } from './cache-access.ts';
import { acceleratedOrigins } from './cache-origins.ts';
import { configuredPeers } from './cache-peers.ts';
import { cachePolicy } from './cache-policy.ts';
import { cacheSizes } from './cache-sizes.ts';
import type { EffectiveConfig } from './config.ts';
import type { Mistakes } from './mistakes.ts';

/** Note what an Object Cache would refuse to start with. */
export function checkCacheSettings(config: EffectiveConfig, mistakes: Mistakes): void {
  for (const read of [acceleratedOrigins, configuredPeers, cachePolicy, cacheAccess, cacheSizes])
    mistakes.attempt(() => read(config));
}
