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
};
