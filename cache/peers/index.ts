// Caches that work together, as in Harvest: a miss is asked about at siblings and parents (ICP in icp.ts, HTCP in
// htcp.ts), found in their digests (digest.ts), or given to the parent that a hash names (rendezvous.ts, carp.ts).
// resolution.ts decides who gets it, peer.ts who is alive, peer-router.ts puts that together into routes, and the
// doors answer others who ask us. Codecs and rules are pure; open-peers.ts gives them sockets and time.
export { askOnce } from './ask-once.ts';
export { digestFetch } from './digest-fetch.ts';
export { openPeers, type Peers } from './open-peers.ts';
export { originProbe } from './origin-probe.ts';
export type { PeerConfig } from './peer.ts';
export { couldNotFetch, isOwnError } from './peer-errors.ts';
export type { PeerLookup } from './peer-lookup-model.ts';
export { parsePeer } from './peer-text.ts';
export { plainAddress, sourceList } from './source-list.ts';
