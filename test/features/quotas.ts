import type { Area } from './feature.ts';

export const quotas: Area = {
  'quotas.objects': {
    feature:
      'A source with more objects than broker.max-objects is full: its changes and deletions still arrive, and other sources go on.',
    test: 'case a07: a source stops at its quota of objects, changes of these still arrive, and other sources go on',
  },
  'quotas.shrunk': {
    feature: 'A full source whose objects fit by now is collected whole, by itself.',
    test: 'case a07: a source whose objects shrink to its quota is collected whole',
  },
  'quotas.bytes': {
    feature: 'The summaries of a source take at most broker.max-bytes when they are learned.',
    test: 'case a07: a source stops at its quota of bytes, which a deleted object frees',
  },
  'quotas.disk': {
    feature:
      'Below broker.min-free-disk collecting waits in the state no room, also within a round, and continues by itself.',
    test: 'case a07: below the floor of free disk space collecting waits, and continues by itself',
  },
  'quotas.life': {
    feature:
      'An object lives at most broker.max-time-to-live, and an Update-Time more than a day ahead counts as the time of arrival.',
    test: 'case a07: no object lives longer than the Broker allows, and an Update-Time in the far future counts as now',
  },
  'quotas.states': {
    feature:
      'The command line, /status and its page show a source that is full or without room, and the setting.',
    test: 'case a07: the settings of a quota, also of one source, and the state full on the command line, in /status and on its page',
  },
};
