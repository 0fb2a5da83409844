import { peerChanged } from '../../cache/events.ts';
import type { OpenedCache, Peers } from '../../cache/index.ts';
import {
  type LinkState,
  serverAttributes as names,
  printLinks,
  type ServerLink,
} from '../../registry/index.ts';
import type { Registered } from '../server/registering.ts';
import { peerPlace } from './peers.ts';

type PeerStatus = ReturnType<Peers['status']>[number];

/** What a cache says of itself where it registers. */
export function registeredCache(
  { store }: Pick<OpenedCache, 'store'>,
  { modes, peers }: { readonly modes: readonly string[]; readonly peers: () => readonly PeerStatus[] },
): Registered {
  return {
    type: 'CACHE',
    objects: () => store.statistics().entries,
    attributes: async () => [
      [names.bytes, String(store.statistics().contentBytes)],
      [names.mode, modes.join(', ')],
    ],
    links: () => {
      const parents = peers().filter(({ role }) => role === 'parent');
      return [[names.parents, printLinks(parents.map(linkOf))]];
    },
    onChange: (changed) => peerChanged.subscribe(changed),
  };
}

const states: Readonly<Record<PeerStatus['state'], LinkState>> = {
  ...{ up: 'live', silent: 'late', 'unknown name': 'broken' },
  ...{ dead: 'broken', denying: 'broken', down: 'broken' },
};

const linkOf = (peer: PeerStatus): ServerLink => ({
  // One that was never asked is not known to work.
  state: peer.state === 'up' && peer.answered + peer.fetched === 0 ? 'late' : states[peer.state],
  url: `http://${peerPlace(peer)}/`,
});
