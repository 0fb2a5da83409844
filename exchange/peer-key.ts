import { failure } from '../kernel/index.ts';
import type { Peer } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import type { Keyring } from './keyring.ts';

/**
 * Remember the key that a peer has proven, and the links that lead to it. Throws EXCHANGE_KEY for another key than the
 * known one, and EXCHANGE_RIVAL_KEY for another successor of a known key.
 */
export async function admitPeerKey(
  keyring: Keyring,
  { serverId: server, publicKey, succession = [] }: Pick<Peer, 'serverId' | 'publicKey' | 'succession'>,
): Promise<void> {
  const follow = async () => (succession.length === 0 ? 'same' : keyring.succeed?.(server, succession));
  const outcome = await follow();
  if (!(await keyring.learn(server, publicKey))) {
    const kind = outcome === 'rival' ? exchangeErrors.EXCHANGE_RIVAL_KEY : exchangeErrors.EXCHANGE_KEY;
    throw failure(kind, { server });
  }
  // A server whose key was unknown: its former keys have signed objects too.
  if (outcome === 'foreign') await follow();
}
