import type { Area } from './feature.ts';

export const cacheStore: Area = {
  'cache.disk': {
    feature: 'Responses on disk are found again after a restart.',
    test: 'committed responses are found after the store is opened again',
  },
  'cache.folder': {
    feature: 'A cache folder belongs to one process at a time.',
    test: 'a folder belongs to one store at a time',
  },
  'cache.memory': {
    feature: 'Responses in memory take no more than their budget.',
    test: 'memory holds no more than its budget',
  },
  'cache.budget': {
    feature: 'The cache folder never takes more than its budget.',
    test: 'the folder never takes more than its budget, and what is found is what was stored',
  },
  'cache.disk-short': {
    feature: 'A cache makes do with the room that its disk has, and takes more when there is more.',
    test: 'a store keeps to what its disk has room for, and takes its budget again when there is more',
  },
  'cache.full-disk': {
    feature: 'A full disk costs what is being written, and what is stored is served on.',
    test: 'a full disk costs what is being written; what is stored goes on being served, and later writes succeed',
  },
  'cache.full-disk-shown': {
    feature: 'A full disk is shown by status, page and metrics with the time it began, and by `why`.',
    test: 'a full disk is reported by status, page and metrics with its start time, and why explains its effect',
  },
  'cache.disk-retry': {
    feature: 'A disk that refuses is tried again soon, then after twice as long each time.',
    test: 'a disk that refuses is tried again soon, then after twice as long each time, and the wait is bounded',
  },
  'cache.bit-flip': {
    feature: 'A bit that flips on disk is noticed, and nothing is served that was not stored.',
    test: 'a bit that flips on disk is found out: nothing is served that was not stored so',
  },
  'cache.damage-restart': {
    feature: 'Damage between two runs is fetched again and never served, and nothing purged comes back.',
    test: 'bits flipped between runs: damaged responses are fetched again and never served, nothing purged comes back',
  },
  'cache.cut-index': {
    feature: 'A start without the end of the index has every stored response validated before use.',
    test: 'a journal that was cut at any record brings nothing purged back, now or after later starts',
  },
  'cache.damage-live': {
    feature: 'Damage under a running cache is found by checks and fetched again.',
    test: 'the checks find bits flipped under a running cache, and the damaged responses are fetched again',
  },
  'cache.sieve': {
    feature: 'SIEVE chooses which response leaves a full store.',
    test: 'sieve chooses whom a plain model of it chooses',
  },
  'cache.eviction-restart': {
    feature: 'Responses that were used before a restart stay after it.',
    test: 'entries used before a restart stay after it, with their hits',
  },
  'cache.largest': {
    feature: 'One response takes at most a twentieth of a large store.',
    test: 'one response takes a twentieth of a large store at most, and half of a small one',
  },
  'cache.purge-restart': {
    feature: 'A purge that a shutdown interrupted is carried out at the next start.',
    test: 'a store that is closed in the middle of a purge carries it out when it is opened again',
  },
};
