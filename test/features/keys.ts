import type { Area } from './feature.ts';

export const keys: Area = {
  'registry.rotation': {
    feature:
      '`garner registry key rotate` gives a server a new key that the old one signs: objects signed by either verify.',
    test: 'objects signed by either key verify, also at Brokers behind a Broker and at one that comes late',
  },
  'registry.revocation': {
    feature:
      '`garner registry key revoke`: Brokers drop what only former keys signed, within one refresh by a Registry, until it is signed again.',
    test: 'a Gatherer changes its key and revokes the old one, and its Broker follows it, by the Registry too',
  },
  'registry.revocation-schemes': {
    feature: 'What only a revoked key signed is neither taken nor passed on, by every scheme of collecting.',
    test: 'by every scheme: what only a revoked key signed is dropped, and returns when it is signed again',
  },
  'registry.revocation-cut': {
    feature: 'A cut or a crash in a round keeps out nothing that is signed again after a revocation.',
    test: 'by every scheme: a cut or a crash keeps out no object that its publisher signs again afterwards',
  },
  'registry.revocation-race': {
    feature: 'An object that its publisher signs again while it is checked after a revocation stays.',
    test: 'an object that is signed again while the objects of a server are checked is not dropped',
  },
  'registry.revocation-rounds': {
    feature: 'What a running round stores by a key that is revoked meanwhile is dropped at its end.',
    test: 'what a round stores after the check, by a key that was revoked while it ran, is dropped at its end',
  },
  'registry.own-keys-broker': {
    feature: 'A Broker that changes and revokes its own key keeps what tokens have published in its name.',
    test: 'a Broker changes and revokes its own key, and keeps what tokens published before',
  },
  'registry.own-keys-registry': {
    feature: 'A Registry that changes and revokes its own key keeps the servers that it has approved.',
    test: 'a Registry changes and revokes its own key, and keeps the servers that it has approved',
  },
  'registry.signed-again': {
    feature:
      'A server signs its objects again after each revocation, and those of keys beyond its last eight changes.',
    test: 'a server signs again what was signed by a key beyond the links that it sends',
  },
  'registry.lone-links': {
    feature: 'Links of keys that come without a signed key of their publisher prove nothing.',
    test: 'links prove nothing of a publisher whose key is unknown, unless they lead to the reported key',
  },
  'registry.rival-keys': {
    feature: 'Of two successors of one key the first known holds, and the other one is refused by name.',
    test: 'a thief of a key cannot replace its successor, and no server proves a key that it handed over',
  },
  'registry.succession': {
    feature: 'Links of keys that are forged, reordered, cut, looped or of another server are refused.',
    test: 'no links that are forged, reordered, torn, looped or of another server are a succession',
  },
  'registry.registered-keys': {
    feature: 'A server stays registered with its new key, and a thief of the old one does not.',
    test: 'a server registers on with a new key that its old one signs, and a thief of the old one does not',
  },
  'registry.keys': {
    feature:
      'A Registry lists the servers that changed their keys, the last change of each, a page at a time.',
    test: 'the list of changed keys has the last change of each server, a bounded page at a time',
  },
  'registry.lying-keys': {
    feature: 'A Registry that lies about keys changes nothing at a Broker that reads them.',
    test: 'a Registry that lies about keys changes nothing, and one that is true is followed',
  },
  'store.identity-change': {
    feature: 'A change of key is atomic: an interrupted one leaves the old identity.',
    test: 'a new key is that of the same server from the next opening on, and an interrupted change leaves the old one',
  },
  'registry.keys-server-id': {
    feature: 'The directory of keys names a server by its `serverId`, as all other answers do.',
    test: 'a server is named by its serverId in the directory of keys, as in all other answers',
  },
};
