import { hostname } from 'node:os';
import { join } from 'node:path';
import { cacheRoutes, type OpenedCache, openCache, openUpstream } from '../../cache/index.ts';
import type { Route } from '../../http/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { type DataFolder, openDataFolder } from '../../store/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { withRemembered } from './kept-settings.ts';
import { type AcceleratedOrigins, acceleratedOrigins } from './origins.ts';
import { cachePolicy } from './policy.ts';
import { cacheSizes, readyBytes } from './sizes.ts';

/** The connections of a cache's store and core. */
export type CacheConnections = Pick<Parameters<typeof openCache>[0], 'router' | 'upstream'>;

export interface OpenedCacheFolder extends AsyncDisposable {
  readonly folder: DataFolder;
  readonly opened: OpenedCache;
  readonly name: string;
}

/**
 * Open a cache's data; `connections` lead to origins and peers. Throws STORE_LOCKED while another process
 * owns it, STORE_MISSING without `create`, CLI_BAD_SETTING.
 */
export async function openCacheFolder(
  data: string,
  config: EffectiveConfig,
  options: { readonly create: boolean; readonly connections: CacheConnections },
): Promise<OpenedCacheFolder> {
  const [policy, sizes] = [cachePolicy(config), cacheSizes(config)];
  const [clock, random] = [systemClock, systemRandom];
  const folder = await openDataFolder(data, { role: 'cache', clock, random, create: options.create });
  try {
    const name = cacheName(config, folder);
    const opened = await openCache({
      ...{ ...sizes, name, policy, clock, random },
      ...(sizes.diskBytes > 0 && { folder: join(folder.path, 'objects') }),
      collapseWaitMs: config.seconds('cache.collapse-wait') * 1000,
      ...(config.flag('cache.fast-lane') && {
        ready: {
          maxBytes: readyBytes(config),
          keepAliveMs: config.seconds('http.keep-alive') * 1000,
          isShared: config.count('cache.workers') !== 1,
        },
      }),
      ...options.connections,
    });
    return {
      ...{ folder, opened, name },
      [Symbol.asyncDispose]: async () => {
        await opened[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

/** Call the routes of a cache that is not served; it is opened with its last settings. */
export async function withIdleCache<Result>(
  data: string,
  given: EffectiveConfig,
  talk: (routes: readonly Route[]) => Promise<Result>,
): Promise<Result> {
  const config = await withRemembered(data, given);
  // It is never used: these routes fetch nothing.
  await using upstream = openUpstream();
  await using idle = await openCacheFolder(data, config, { create: false, connections: { upstream } });
  const { opened, name } = idle;
  const origins = acceleratedOrigins(config);
  const place = placeOf(config, name, origins, []);
  const accelerator = origins && { accelerator: origins.hosts };
  return await talk(
    cacheRoutes({ ...opened, ...accelerator, clock: systemClock, place, neighbours: () => [] }),
  );
}

/** The cache as its report names it. */
export const placeOf = (
  config: EffectiveConfig,
  name: string,
  origins: AcceleratedOrigins | undefined,
  addresses: readonly string[],
) => ({
  ...{ name, addresses, origin: origins?.main ?? null, origins: origins?.reported ?? [] },
  proxy: config.flag('cache.proxy'),
});

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** A name that no other cache has, even on this machine: it shows that a request has come back. */
function cacheName(config: EffectiveConfig, folder: DataFolder): string {
  const name = config.text('cache.name');
  if (name === '') {
    const host =
      hostname()
        .replace(/[^0-9A-Za-z.-]/g, '')
        .slice(0, 60) || 'garner';
    return `${host}-${folder.identity.serverId.replace(/[^0-9A-Za-z]/g, '').slice(0, 6)}`;
  }
  if (token.test(name)) return name;
  const problem = `is ${JSON.stringify(name.slice(0, 100))}, which is not valid in Via`;
  throw badSetting(config, 'cache.name', problem, 'write only letters, digits, dots and hyphens');
}
