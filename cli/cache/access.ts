import { type AccessRule, AccessRules, plainAddress, sourceList } from '../../cache/index.ts';
import { GarnerError, nearest } from '../../kernel/index.ts';
import { allowedHosts } from '../config/allowed-hosts.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';

/** The access rules in the settings. Throws CLI_BAD_SETTING. */
export function cacheAccess(config: EffectiveConfig, isPeer?: (address: string) => boolean): AccessRules {
  return placed(config, 'cache.access', () => new AccessRules(accessRules(config), isPeer));
}

const accessWords = ['all', 'loopback', 'peers'];

/** The clients that may use the method PURGE. Throws CLI_BAD_SETTING. */
export function purgeSources(config: EffectiveConfig): readonly string[] {
  const key = 'cache.purge-access';
  const words = [...accessWords, 'token'];
  const sources = config.list(key);
  checkSources(sources, words, (problem) =>
    badSetting(
      config,
      key,
      problem,
      `write ${words.join(', ')}, an address, a network such as 192.0.2.0/24, or a name with its domain`,
    ),
  );
  return sources;
}

/** A word without a dot is a misspelt keyword: a host needs its domain. */
function checkSources(
  sources: readonly string[],
  words: readonly string[],
  bad: (problem: string) => Error,
): void {
  const word = sources.find((entry) => /^[\w-]+$/.test(entry.trim()) && !words.includes(entry.trim()));
  if (word === undefined) return;
  const meant = nearest(word, words);
  const known = meant === undefined ? `none of ${words.join(', ')}` : `no word here; did you mean ${meant}?`;
  throw bad(`has ${JSON.stringify(word.slice(0, 80))}, which is no address and ${known}`);
}

/** The rules of cache.access. Throws CLI_BAD_SETTING. */
function accessRules(config: EffectiveConfig): readonly AccessRule[] {
  return config.records('cache.access').map((record, at) => {
    const key = `cache.access[${at}]`;
    const bad = (problem: string) =>
      badSetting(
        config,
        key,
        problem,
        'write such as { allow: true, from: [192.0.2.0/24], ports: [80, 443] }',
      );
    const { allow, ...rest } = record;
    if (typeof allow !== 'boolean') throw bad('does not say allow: true or allow: false');
    const lists = Object.entries(rest).map(([name, value]) => {
      if (!['from', 'methods', 'hosts', 'ports'].includes(name))
        throw bad(`has ${name.slice(0, 40)}, which is no part of a rule`);
      const list = [value].flat();
      if (list.some((one) => typeof one !== 'string' && typeof one !== 'number'))
        throw bad(`has ${name}, which is no list of texts`);
      if (name === 'from') checkSources(list.map(String), accessWords, bad);
      return [name, list.map(String)] as const;
    });
    return { allow, ...Object.fromEntries(lists) };
  });
}

/** Whether an address is a server in front of this cache, by the settings. Throws CLI_BAD_SETTING. */
export function cacheFronts(config: EffectiveConfig): (address: string) => boolean {
  const list = placed(config, 'cache.fronts', () => sourceList(config.list('cache.fronts')));
  return (address) => list.has(plainAddress(address));
}

/** The hosts that may be reached although their address is private. Throws CLI_BAD_SETTING. */
export const cacheAllowHosts = (config: EffectiveConfig): readonly string[] =>
  allowedHosts(config, 'cache.allow-hosts');

/** Errors about the value of a setting, with its place. */
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
    throw badSetting(config, key, `cannot be used: ${error.message}`, cure ?? error.hint, error);
  }
}
