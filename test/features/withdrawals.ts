import type { Area } from './feature.ts';

export const withdrawals: Area = {
  'withdraw.everywhere': {
    feature:
      'A signed deletion removes an object from the copies of all sources at once, and a source that slept through it does not bring it back.',
    test: 'a signed deletion ends all copies at once, and no source that slept through it brings the object back',
  },
  'withdraw.mesh': {
    feature:
      'In a full mesh of eight Brokers a signed deletion is gone in few rounds, also where one sleeps.',
    test: 'eight Brokers in a full mesh: a signed deletion is gone in some rounds, also where one sleeps meanwhile',
  },
  'withdraw.any-schedule': {
    feature:
      'In any mesh, after any schedule, a withdrawn version is never seen again and all Brokers become equal.',
    test: 'any mesh, any schedule: what was withdrawn is never seen again, and all become equal',
  },
  'withdraw.signed': {
    feature: 'A Gatherer signs each deletion, and what it publishes again has a later time.',
    test: 'a Gatherer signs each deletion, and publishes again only with a later time',
  },
  'withdraw.schemes': {
    feature: 'The signature of a deletion arrives by every scheme, also where deletions show by absence.',
    test: 'by every scheme: a deletion that shows by absence has its signature too',
  },
  'withdraw.again': {
    feature: 'An object that is published again after its withdrawal is taken again.',
    test: 'an object that is published again later is taken again, also where it came to a source as a refresh',
  },
  'withdraw.old-version': {
    feature: 'A version before a withdrawal stays out although a later version came and went.',
    test: 'a version before a withdrawal stays out although a later version came and went',
  },
  'withdraw.forged': {
    feature: 'A forged withdrawal counts as a deletion by its source alone, and is reported once.',
    test: 'a forged withdrawal counts as a deletion by its source alone, and is reported once',
  },
  'withdraw.unknown-key': {
    feature: 'A withdrawal that cannot be verified is only the word of a source about itself.',
    test: 'a withdrawal of a publisher whose key is not known is the word of the source about itself',
  },
  'withdraw.guard': {
    feature: 'Many signed deletions are not confirmed one by one.',
    test: 'many signed deletions at once are not asked about one by one',
  },
  'withdraw.count': {
    feature: 'A Broker reports how many withdrawals it keeps, also after a restart.',
    test: 'the number of withdrawals outlives a restart, and falls as they are forgotten',
  },
  'withdraw.skew': {
    feature: 'A Gatherer and a Broker of garner 0.2 understand those of today, and the other way round.',
    test: 'with a peer of garner 0.2: its question has the answer of today, and its answer is understood',
  },
  'withdraw.skew-mesh': {
    feature: 'A Broker of garner 0.2 between others neither hinders a withdrawal nor is hindered.',
    test: 'a Broker of garner 0.2 in between neither hinders nor is hindered',
  },
  'withdraw.impostor': {
    feature: 'A source that uses the id of another publisher withdraws nothing of it.',
    test: 'a source that uses the id of another publisher withdraws nothing of it',
  },
  'withdraw.wrong-report': {
    feature: 'A publisher whose key another server reported wrongly still withdraws its own objects.',
    test: 'a publisher whose key was reported wrongly withdraws its own objects',
  },
  'withdraw.lost-url': {
    feature: 'A withdrawal of an object whose URL a repair could not restore does not stop collecting.',
    test: 'a withdrawal of an object whose URL was lost is the word of its source',
  },
  'withdraw.same-step': {
    feature: 'A withdrawal is kept where the same step has deleted its object.',
    test: 'a withdrawal is kept where the same step has deleted the object',
  },
  'withdraw.blocked': {
    feature: 'A blocked object that was withdrawn and published again costs no comparison at each refresh.',
    test: 'an object that was withdrawn, published again and blocked is not compared again at each refresh',
  },
};
