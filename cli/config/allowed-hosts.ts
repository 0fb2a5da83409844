import { AddressGuard } from '../../fetch/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

const hostSchemes = {
  'fetch.allow-hosts': /^(?:https?|ftp|gopher|news|nntps?)$/,
  'registry.allow-hosts': /^https?$/,
  'cache.allow-hosts': /^(?:https?|ftp|gopher)$/,
} as const;

/** Why an entry is no host: a pattern, a network or a path would allow nothing, or more than was meant. */
function problemOf(key: keyof typeof hostSchemes, entry: string): string | undefined {
  const [, scheme, rest = entry] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(entry) ?? [];
  if (scheme !== undefined && !hostSchemes[key].test(scheme.toLowerCase()))
    return `which is a URL of ${scheme}; nothing is requested so from these hosts`;
  if (rest.includes('@')) return 'which has a user; an entry is a host and a port alone';
  if (scheme !== undefined && /[/?#].|[?#]/.test(rest))
    return 'which has a path; an entry allows a whole host and port';
  const host = scheme === undefined ? rest : rest.replace(/\/$/, '');
  if (!/^(?:\[[\da-f:.]+\]|[\da-f]*:[\da-f:.]*:[\da-f:.]*|[\p{L}\p{N}._-]+)(?::\d+)?$/iu.test(host))
    return 'which is not a host';
  try {
    new AddressGuard([entry]);
    return undefined;
  } catch {
    return 'which is not a host';
  }
}

/** The private hosts that may be reached: host:port, host or URL. Throws CLI_BAD_SETTING with the place. */
export function allowedHosts(config: EffectiveConfig, key: keyof typeof hostSchemes): readonly string[] {
  const hosts = config.list(key);
  for (const host of hosts) {
    const why = problemOf(key, host);
    if (why !== undefined)
      throw badSetting(
        ...([config, key, `holds ${JSON.stringify(host.slice(0, 200))}, ${why}`] as const),
        'write a host, or host:port, such as 10.0.0.7:8080, or a URL without a path',
      );
  }
  return hosts;
}
