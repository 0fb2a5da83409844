import {
  type CachePolicy,
  type ClientReload,
  defaultPolicy,
  QueryRules,
  type SharedCookies,
  type TtlRule,
} from '../../cache/index.ts';
import { parseDuration } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { placed } from './access.ts';

const times = {
  default: 'defaultSeconds',
  min: 'minSeconds',
  max: 'maxSeconds',
  override: 'overrideSeconds',
} as const satisfies Record<string, keyof TtlRule>;

/** The rules of RFC 9111 with the operator's choices where they leave one. Throws CLI_BAD_SETTING. */
export function cachePolicy(config: EffectiveConfig): CachePolicy {
  const proxyOnly = config.flag('cache.proxy') && config.list('cache.origin').length === 0;
  return {
    ...defaultPolicy,
    heuristicFraction: config.count('cache.heuristic-percent') / 100,
    heuristicMaxSeconds: config.seconds('cache.heuristic-max'),
    negativeSeconds: config.seconds('cache.negative-ttl'),
    staleIfErrorSeconds: config.seconds('cache.stale-if-error'),
    maxFreshSeconds: config.seconds('cache.max-fresh'),
    ttlRules: config.records('cache.ttl-rules').map((record, at) => ttlRule(record, at, config)),
    sharedCookies: config.text('cache.share-set-cookie') as SharedCookies,
    clientReload: config.text('cache.client-reload') as ClientReload,
    queries: placed(
      config,
      'cache.ignore-query',
      () =>
        new QueryRules({
          ignore: config.list('cache.ignore-query'),
          sort: config.flag('cache.sort-query'),
          strip: config.flag('cache.strip-query'),
        }),
    ),
    // A proxy does not work for the origin, so fields for a CDN are not for it.
    ...(proxyOnly && { targetedFields: [] }),
  };
}

function ttlRule(record: Readonly<Record<string, unknown>>, at: number, config: EffectiveConfig): TtlRule {
  const key = `cache.ttl-rules[${at}]`;
  const bad = (problem: string, cause?: unknown) =>
    badSetting(config, key, problem, "write such as { pattern: '\\.png$', min: 1h, max: 7d }", cause);
  const { pattern, ...rest } = record;
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > 1000) throw bad('has no pattern');
  const rule: { -readonly [Name in keyof TtlRule]: TtlRule[Name] } = { pattern: compiled(pattern, bad) };
  for (const [name, value] of Object.entries(rest)) {
    if (!Object.hasOwn(times, name)) throw bad(`has ${name.slice(0, 40)}, which is no part of a rule`);
    const seconds = parseDuration(String(value));
    if (seconds === undefined) throw bad(`has ${name} ${String(value).slice(0, 40)}, which is no time`);
    rule[times[name as keyof typeof times]] = seconds;
  }
  if (Object.keys(rest).length === 0) throw bad('has no default, min, max or override');
  for (const name of ['min', 'default'] as const)
    if ((rule[times[name]] ?? 0) > (rule.maxSeconds ?? Number.POSITIVE_INFINITY))
      throw bad(`has ${name} ${String(rest[name])}, which is more than its max ${String(rest.max)}`);
  return rule;
}

function compiled(pattern: string, bad: (problem: string, cause?: unknown) => Error): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    throw bad('has a pattern that is no regular expression', error);
  }
}
