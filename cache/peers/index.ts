// Cooperation with other caches, as in Harvest: ICP, HTCP, digests, and parents chosen by hash.
// Codecs and rules are pure; open-peers.ts adds sockets and time. Read open-peers.ts, then peer-router.ts.
export { askOnce } from './ask-once.ts';
export { digestFetch } from './digest-fetch.ts';
export { openPeers, type Peers } from './open-peers.ts';
export { originProbe } from './origin-probe.ts';
export type { PeerConfig } from './peer.ts';
export { couldNotFetch, isOwnError } from './peer-errors.ts';
export type { PeerLookup } from './peer-lookup-model.ts';
export { parsePeer } from './peer-text.ts';
export { plainAddress, sourceList } from './source-list.ts';
