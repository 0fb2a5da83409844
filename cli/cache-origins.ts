import { type AcceleratedHosts, acceleratedHosts, cacheErrors } from '../cache/index.ts';
import { failure, isGarnerError } from '../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

/** The servers that a cache stands before. */
export interface AcceleratedOrigins {
  readonly hosts: AcceleratedHosts;
  /** The URL of each, for who may be asked. */
  readonly urls: readonly string[];
  /** The one that a path alone means, without a slash at its end. */
  readonly main: string;
}

/** The origins that the settings name; undefined for a proxy alone. Throws CLI_BAD_SETTING. */
export function acceleratedOrigins(config: EffectiveConfig): AcceleratedOrigins | undefined {
  const entries = config.list('cache.origin');
  if (entries.length === 0) return undefined;
  try {
    const hosts = acceleratedHosts(entries);
    const urls = entries.map((entry) => entry.trim().replace(/^[^=/]+=/, ''));
    const plain = entries.findIndex((entry) => !/^[^=/]+=/.test(entry.trim()));
    const main = (urls[Math.max(0, plain)] ?? '').replace(/\/+$/, '');
    return { hosts, urls, main };
  } catch (error) {
    if (!isGarnerError(error, cacheErrors.CACHE_ORIGIN)) throw error;
    const at = config.origin('cache.origin');
    const about = { key: 'cache.origin', at, problem: `cannot be used: ${error.message}`, cure: error.hint };
    throw failure(cliErrors.CLI_BAD_SETTING, about, error);
  }
}
