import { cacheErrors } from '../../cache/errors.ts';
import { type AcceleratedHosts, acceleratedHosts, type ReportedOrigin } from '../../cache/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';

/** The servers behind an accelerating cache. */
export interface AcceleratedOrigins {
  readonly hosts: AcceleratedHosts;
  /** The URL of each, which may be fetched from. */
  readonly urls: readonly string[];
  readonly reported: readonly ReportedOrigin[];
  /** The one that a path alone means, without a slash at its end. */
  readonly main: string;
}

/** The origins that the settings name; undefined for a proxy alone. Throws CLI_BAD_SETTING. */
export function acceleratedOrigins(config: EffectiveConfig): AcceleratedOrigins | undefined {
  const entries = config.list('cache.origin');
  const [passHost, listed] = [config.flag('cache.pass-host'), config.list('cache.hosts')];
  if (entries.length === 0) {
    if (passHost)
      throw badSetting(
        config,
        'cache.pass-host',
        'needs an origin',
        'name one with cache.origin (--origin URL)',
      );
    return undefined;
  }
  try {
    const hosts = acceleratedHosts(entries, { passHost, hosts: listed });
    const urls = entries.map((entry) => entry.trim().replace(/^[^=/]+=/, ''));
    const reported = entries.map((entry, at) => ({
      host: /^([^=/]+)=/.exec(entry.trim())?.[1] ?? null,
      url: (urls[at] ?? '').replace(/\/+$/, ''),
    }));
    const plain = entries.findIndex((entry) => !/^[^=/]+=/.test(entry.trim()));
    const main = (urls[Math.max(0, plain)] ?? '').replace(/\/+$/, '');
    // Without listed hosts, clients of the proxy would get the origin's answers for any host.
    if (passHost && plain >= 0 && listed.length === 0 && config.flag('cache.proxy'))
      throw badSetting(
        config,
        'cache.pass-host',
        'is true in a proxy, which must know the hosts of the origins',
        'name them in cache.hosts, or with cache.origin as HOST=URL',
      );
    return { hosts, urls, reported, main };
  } catch (error) {
    const isHost = isGarnerError(error, cacheErrors.CACHE_HOST);
    if (!isHost && !isGarnerError(error, cacheErrors.CACHE_ORIGIN)) throw error;
    const key = isHost ? 'cache.hosts' : 'cache.origin';
    throw badSetting(config, key, `cannot be used: ${error.message}`, error.hint, error);
  }
}
