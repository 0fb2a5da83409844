import type { Area } from './feature.ts';

export const replicas: Area = {
  'registry.replicated': {
    feature:
      'Registries that collect from each other register and answer on both sides of a cut, and are equal after it.',
    test: 'three Registries register and answer on both sides of a cut, and are equal after it',
  },
  'registry.replicated-bounds': {
    feature: 'A Registry takes from another one only what it would list, and the rest when there is room.',
    test: 'what another Registry passes on is bounded as registrations are, and taken when there is room',
  },
  'registry.replicated-server': {
    feature:
      'A server may register at several Registries that pass on its statements: none of them is an error.',
    test: 'a server that registers at three Registries with one content is taken by all, and nothing fails',
  },
  'registry.nearest': {
    feature:
      'A Registry lists the others with state and round trip, and redirects to the nearest live one or to any.',
    test: 'a client is led to the live replica with the shortest round trip, and never to a stranger',
  },
  'registry.nearest-dead': {
    feature: 'A Registry leads nobody to a dead one after one suspicion time.',
    test: 'a replica that is dead or silent is not given after one suspicion time, and given again when it answers',
  },
  'registry.nearest-probes': {
    feature: 'Probes of other Registries are bounded.',
    test: 'each Registry is probed once in three seconds, a stranger once in thirty, and never twice at once',
  },
  'registry.failover': {
    feature: 'The client asks the nearest of several Registries, and no request fails when one is killed.',
    test: 'one Registry of three is killed under load, and no request of the client fails',
  },
  'registry.failover-order': {
    feature: 'The client asks the Registry that answers first, and the next one where it fails.',
    test: 'the Registry that answers first is asked, and the next one where it fails',
  },
  'registry.failover-silent': {
    feature: 'The client does not wait alone for a Registry that stops in the middle of an answer.',
    test: 'a Registry that stops in the middle of an answer is not waited for alone',
  },
};
