import { isIPv6 } from 'node:net';
import type { PeerConfig } from './peer.ts';

const ofBoth = 'name=NAME, weight=N, htcp=PORT, key=NAME, digest, may-clear';
const options = { parent: `${ofBoth}, domain=DOMAIN, hash, carp`, sibling: ofBoth };

/**
 * Parses a peer as on a command line: `HOST:PORT`, `HOST:PORT:ICP`, then options after commas, as in
 * `cache.example:3128:3130,weight=2,hash,domain=.edu,digest`. Options: `name=N`, `weight=N`, `htcp=PORT`,
 * `hash`, `carp`, `digest`, `may-clear`, `domain=D` as often as needed, and `key=NAME` of a key that signs
 * HTCP. An IPv6 address is in brackets. An invalid text gives its fault.
 */
export function parsePeer(role: PeerConfig['role'], text: string): PeerConfig | { readonly fault: string } {
  const [place = '', ...given] = text.trim().split(',');
  const parts = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253}):(\d{1,5})(?::(\d{1,5}))?$/.exec(place);
  if (!parts) return { fault: 'it is not HOST:PORT or HOST:PORT:ICP' };
  const host = (parts[1] ?? '').replace(/^\[|\]$/g, '');
  if (host.includes(':') && !isIPv6(host)) return { fault: `${host} is not an IPv6 address` };
  const port = portOf(parts[2] ?? '');
  const icpPort = parts[3] === undefined || /^0+$/.test(parts[3]) ? 0 : portOf(parts[3]);
  if (port === undefined || icpPort === undefined) return { fault: 'a port is from 1 to 65535' };
  let config: PeerConfig = { role, host: host.toLowerCase(), port, ...(icpPort ? { icpPort } : {}) };
  for (const option of given) {
    const more = optionOf(option, config);
    if (more === undefined)
      return {
        fault: `option ${JSON.stringify(option)} is unknown, or has an invalid value; the options are ${options[role]}`,
      };
    config = { ...config, ...more };
  }
  return config;
}

function optionOf(option: string, config: PeerConfig): Partial<PeerConfig> | undefined {
  const [key, value = ''] = option.trim().split('=', 2);
  const parent = config.role === 'parent';
  if (key === 'name') return /^[\w.-]{1,64}$/.test(value) ? { name: value } : undefined;
  if (key === 'weight') return /^[1-9]\d{0,3}$/.test(value) ? { weight: Number(value) } : undefined;
  if (key === 'domain') {
    if (!parent || !/^!?\.?[A-Za-z0-9._-]{1,253}$/.test(value)) return undefined;
    return { domains: [...(config.domains ?? []), value] };
  }
  if (key === 'htcp') {
    const htcpPort = portOf(value);
    return htcpPort === undefined ? undefined : { htcpPort };
  }
  if (key === 'key') return /^[\w.-]{1,64}$/.test(value) ? { htcpKey: value } : undefined;
  if (value !== '') return undefined;
  if (key === 'hash') return parent ? { hash: 'rendezvous' } : undefined;
  if (key === 'carp') return parent ? { hash: 'carp' } : undefined;
  if (key === 'digest') return { digest: true };
  if (key === 'may-clear') return { mayClear: true };
  return undefined;
}

function portOf(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}
