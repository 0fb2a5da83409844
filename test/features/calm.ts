import type { Area } from './feature.ts';

export const calm: Area = {
  'calm.churn': {
    feature:
      'Under 20 edits a second and five readers `garner up` stays exact and its data small; the long suite prints how fast.',
    test: 'case a09: after edits at 20 a second every file is found by its newest word and the data is small',
  },
  'calm.waiting': {
    feature:
      'Changed files that wait in a Gatherer are counted in /status; one that changes again waits once.',
    test: 'changes that wait for their turn are counted, and a file that changes again meanwhile is gathered once',
  },
  'calm.small-database': {
    feature: 'A small database is compacted after much writing.',
    test: 'case a09: a database of 1 MB whose rows are replaced many times stays small',
  },
  'calm.late-source': {
    feature: 'A source that starts seconds after its Broker is waited for and not reported down.',
    test: 'a source that starts after its Broker is waited for, and one that goes away is down',
  },
  'calm.beside-strangers': {
    feature: 'Searches of one client beside another that takes all it can get are measured against alone.',
    missing:
      '`npm run bench -- strangers` measures it; docs/performance.md has no run of a quiet machine yet.',
  },
  'calm.cases': {
    feature: 'Each case of the Broker and of the attacks has a test with its number.',
    test: 'every case of the Broker and of the attacks has a test whose title has its number',
  },
};
