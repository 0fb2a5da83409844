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
  'registry.replicated-checks': {
    feature: 'A Registry checks what another one passes on as it checks registrations.',
    test: 'what another Registry passes on is checked as a registration is, also of a listed server',
  },
  'registry.replicated-keys': {
    feature: 'A Registry keeps the keys of what it takes from another one, and of nothing else.',
    test: 'keys of descriptions that another Registry passes on are kept when these are taken, and no others',
  },
  'registry.replicated-room': {
    feature:
      'A Registry with new room asks the others for as many descriptions as fit, also after a restart.',
    test: 'a Registry with new room asks for as many descriptions as fit, and after a restart for what it lacks',
  },
  'registry.replicated-unsigned': {
    feature: 'A Registry that lists many servers without a key is listed by the others itself.',
    test: 'a Registry that lists many servers without a key is listed by another one itself',
  },
  'registry.proved-key': {
    feature: 'A server that is collected from replaces what a stranger registered under its id.',
    test: 'a server that proves its key to the collector ends what a stranger registered under its id',
  },
  'registry.revocation-holds': {
    feature: 'A revocation ends descriptions though its registration is refused, and after a crash.',
    test: 'a revocation holds when its registration is refused, and after a crash before its effect',
  },
  'registry.key-numbers': {
    feature: 'Each change of a key has a number of its own in the list of changed keys.',
    test: 'keys that change at once have a number each, and none is used again after its server is forgotten',
  },
  'registry.default-name': {
    feature: 'A Registry without a name is named after its address, or its data folder.',
    test: 'a Registry without a name has that of its address, or of its data folder',
  },
};
