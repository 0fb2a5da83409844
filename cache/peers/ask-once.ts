import { lookup as systemLookup } from 'node:dns/promises';
import { type Clock, failure, type Random } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { HtcpDoor } from './htcp-door.ts';
import type { IcpReplyName } from './icp.ts';
import { IcpDoor } from './icp-door.ts';
import type { PeerConfig } from './peer.ts';
import type { PeerLookup } from './peer-lookup-model.ts';
import { ownAddressFor } from './udp-socket.ts';

export interface OnceAsked {
  readonly protocol: 'icp' | 'htcp';
  readonly port: number;
  /** Undefined when no answer arrived in time. */
  readonly reply: IcpReplyName | undefined;
}

const nothing: PeerLookup = { has: () => false, isFresh: () => false };
const closedDoor = { lookup: nothing, mayAsk: () => false, mayClear: () => false, clear: () => false };

/**
 * Query a peer once, from its own port, for a URL; by HTCP if the peer speaks it. Undefined when it speaks neither
 * protocol. Rejects when its name cannot be resolved, its key is missing or the port cannot be opened.
 */
export async function askOnce(
  { host, icpPort = 0, htcpPort = 0, htcpKey }: PeerConfig,
  options: {
    readonly url: string;
    /** Address of the sending socket. */
    readonly host: string;
    readonly timeoutMs: number;
    readonly htcpKeys?: ReadonlyMap<string, string>;
    readonly clock: Clock;
    readonly random: Random;
  },
): Promise<OnceAsked | undefined> {
  const protocol = htcpPort > 0 ? 'htcp' : 'icp';
  const port = htcpPort || icpPort;
  if (port === 0) return undefined;
  const { address } = await systemLookup(host);
  const { url, timeoutMs, clock } = options;
  const ending = new AbortController();
  const opening = { ...closedDoor, ...options, port: 0, ready: () => true };
  const to = { address, port };
  const wait = () => clock.sleep(timeoutMs, ending.signal).then(() => undefined);
  const query = async (ask: (answered: (reply: IcpReplyName) => void) => void) => {
    const reply = new Promise<IcpReplyName>((resolve) => {
      ask(resolve);
    });
    try {
      return { protocol, port, reply: await Promise.race([reply, wait()]) } as const;
    } finally {
      ending.abort();
    }
  };
  if (protocol === 'htcp') {
    const secret = htcpKey === undefined ? undefined : options.htcpKeys?.get(htcpKey);
    if (htcpKey !== undefined && secret === undefined)
      throw failure(cacheErrors.CACHE_PEER, { peer: host, why: `there is no key ${htcpKey}` });
    const ownAddress = secret === undefined ? '' : await ownAddressFor(to, options.host);
    const signing = htcpKey !== undefined && secret !== undefined ? { name: htcpKey, secret } : undefined;
    const keyFor = () => signing && { key: signing, ownAddress };
    await using door = await HtcpDoor.open({ ...opening, keyFor });
    return await query((answered) => door.ask(url, [], to, answered));
  }
  await using door = await IcpDoor.open(opening);
  return await query((answered) => door.ask(url, to, answered));
}
