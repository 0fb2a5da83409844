// Caches that work together, as in Harvest: a miss is asked about at siblings and parents (ICP in icp.ts, HTCP in
// htcp.ts), found in their digests (digest.ts), or given to the parent that a hash names (rendezvous.ts, carp.ts).
// resolution.ts decides who gets it, peer.ts who is alive, peer-router.ts puts that together into routes, and the
// doors answer others who ask us. Codecs and rules are pure; open-peers.ts gives them sockets and time.
export { askOnce, type OnceAsked } from './ask-once.ts';
export { type DigestFetch, digestFetch, type FetchedDigest } from './digest-fetch.ts';
export type { DoorCounts } from './icp-door.ts';
export type { PeerLookup } from './lookup.ts';
export { openPeers, type Peers, type PeersOptions } from './open-peers.ts';
export { originProbe } from './origin-probe.ts';
export type { Contents } from './own-digest.ts';
export type { PeerConfig, PeerStatus } from './peer.ts';
export { parsePeer } from './peer-text.ts';
export { plainAddress, sourceList } from './source-list.ts';
