import { type AccessRule, AccessRules } from '../cache/index.ts';
import { AddressGuard } from '../fetch/index.ts';
import { failure, GarnerError } from '../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

/** Who may ask for what, by the settings. Throws CLI_BAD_SETTING. */
export function cacheAccess(config: EffectiveConfig, isPeer?: (address: string) => boolean): AccessRules {
  return placed(config, 'cache.access', () => new AccessRules(accessRules(config), isPeer));
}

/** The rules of cache.access. Throws CLI_BAD_SETTING. */
function accessRules(config: EffectiveConfig): readonly AccessRule[] {
  return config.records('cache.access').map((record, at) => {
    const key = `cache.access[${at}]`;
    const bad = (problem: string) =>
      failure(cliErrors.CLI_BAD_SETTING, {
        ...{ key, at: config.placeOf(key, []) ?? config.origin('cache.access'), problem },
        cure: 'write such as { allow: true, from: [192.0.2.0/24], ports: [80, 443] }',
      });
    const { allow, ...rest } = record;
    if (typeof allow !== 'boolean') throw bad('does not say allow: true or allow: false');
    const lists = Object.entries(rest).map(([name, value]) => {
      if (!['from', 'methods', 'hosts', 'ports'].includes(name))
        throw bad(`has ${name.slice(0, 40)}, which is no part of a rule`);
      const list = [value].flat();
      if (list.some((one) => typeof one !== 'string' && typeof one !== 'number'))
        throw bad(`has ${name}, which is no list of texts`);
      return [name, list.map(String)] as const;
    });
    return { allow, ...Object.fromEntries(lists) };
  });
}

/** The hosts that are asked although their address is private. Throws CLI_BAD_SETTING. */
export function cacheAllowHosts(config: EffectiveConfig): readonly string[] {
  const hosts = config.list('cache.allow-hosts');
  const cure = 'write a host, or host:port, such as 10.0.0.7:8080';
  placed(config, 'cache.allow-hosts', () => new AddressGuard(hosts), cure);
  return hosts;
}

/** Errors about what a setting holds, with the place where it stands. */
export function placed<Result>(
  config: EffectiveConfig,
  key: string,
  make: () => Result,
  cure?: string,
): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof GarnerError) || error.code === cliErrors.CLI_BAD_SETTING.code) throw error;
    const about = {
      key,
      at: config.origin(key),
      problem: `cannot be used: ${error.message}`,
      cure: cure ?? error.hint,
    };
    throw failure(cliErrors.CLI_BAD_SETTING, about, error);
  }
}
