import { serverAddress } from '../../broker/index.ts';
import { AddressGuard } from '../../fetch/index.ts';
import { GarnerError } from '../../kernel/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

/** The problem and the cure of an invalid address, by the setting that holds it. */
const words = {
  'broker.collect': {
    what: 'not the address of a source',
    cure: 'write an address such as ws://127.0.0.1:8500 or wss://www.example.org/garner/wire, or push:ID.KEY for a server that pushes',
  },
  'gatherer.push-to': {
    what: 'not the address of a Broker',
    cure: 'write an address such as ws://127.0.0.1:8501 or wss://search.example.org',
  },
} as const;

/** A server's address as a person wrote it, read by `read`. Throws CLI_BAD_SETTING with the place and what to write. */
export function checkedAddress(
  config: EffectiveConfig,
  key: keyof typeof words,
  text: string,
  read: (text: string) => string = serverAddress,
): string {
  const { what, cure } = words[key];
  const problem = `holds ${JSON.stringify(text.slice(0, 200))}, which is ${what}`;
  const bad = (cause?: unknown) => badSetting(config, key, problem, cure, cause);
  let address: string;
  try {
    address = read(text);
  } catch (error) {
    if (!(error instanceof GarnerError)) throw error;
    throw bad(error);
  }
  // `http//a` and `ws:/a` are slips, though one can read a host and a path in them.
  const isSlip = !/^[a-z]+:\/\/|^[^/]+(?:\/(?!\/)|$)/i.test(text) || /^[a-z]+:\/(?!\/)/i.test(text);
  if (isSlip && !address.startsWith('push:')) throw bad();
  return address;
}

/** The Brokers of gatherer.push-to, each once. Throws CLI_BAD_SETTING. */
export function pushAddresses(config: EffectiveConfig): readonly string[] {
  const written = config.list('gatherer.push-to');
  return [...new Set(written.map((text) => checkedAddress(config, 'gatherer.push-to', text)))];
}

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
