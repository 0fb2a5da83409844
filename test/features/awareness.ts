import type { Area } from './feature.ts';

export const awareness: Area = {
  'awareness.round': {
    feature: 'Inserts, changes, refreshes and deletions of a source are learned in a round.',
    test: 'inserts, changes, refreshes and deletes are learned, and an unchanged round costs next to nothing',
  },
  'awareness.schemes': {
    feature: 'Every scheme leaves the copy equal to its source.',
    test: 'every scheme learns the same',
  },
  'awareness.any-history': {
    feature: 'After any history, collected at any moments by any scheme, the copy equals the source.',
    test: 'any history collected at any points by any scheme: the copy equals the source',
  },
  'awareness.astray': {
    feature: 'A copy that went astray is recognised by its fingerprint and is mended by a comparison.',
    test: 'a copy that went astray is detected by its fingerprint and repaired by a comparison',
  },
  'awareness.horizon': {
    feature: 'A marker older than the forgotten deletions is not trusted.',
    test: 'a marker older than the forgotten deletions is not trusted',
  },
  'awareness.renewed-source': {
    feature: 'After a source was rebuilt equal objects do not travel again.',
    test: 'a rebuilt store is compared, and equal objects are not sent again',
  },
  'awareness.filling': {
    feature: 'A source that lost its data and is being filled makes no copy forget its objects.',
    test: 'a rebuilt source that is still being filled makes no client forget',
  },
  'awareness.refusals': {
    feature: 'A changed key, a forged object and a burst of false deletions are refused.',
    test: 'a key that changed, a forged object and a burst of deletions are refused',
  },
  'awareness.delete-guard': {
    feature: 'Many deletions at once are confirmed one by one before anything is forgotten.',
    test: 'many deletions at once are confirmed one by one before anything is forgotten',
  },
  'awareness.cut': {
    feature: 'A session that is cut in the middle of a round goes on from its marker.',
    test: 'a session cut in the middle continues from its marker',
  },
  'awareness.cuts-any-scheme': {
    feature:
      'With a link that is cut at any points every scheme ends with an equal copy and learns nothing twice.',
    test: 'a link cut at any points: every scheme ends with an equal copy and learns nothing twice',
  },
  'awareness.deltas': {
    feature: 'An edit of a long object travels as its difference.',
    test: 'an edit of a long object is sent as its difference, and as a whole to a client without the version before it',
  },
  'awareness.slow-reader': {
    feature: 'An answer that its reader never takes is broken off.',
    test: 'an answer that its reader never takes is broken off, and its snapshot is released',
  },
  'awareness.hint': {
    feature: 'A source sends a hint after each change.',
    test: 'hints arrive after changes',
  },
  'awareness.silence': {
    feature: 'A source that never answers is given up after the configured silence.',
    test: 'a store that never answers is abandoned after the allowed silence, and not before',
  },
  'awareness.forged': {
    feature: 'Forged answers on the way teach nothing that the store did not say.',
    test: 'answers that are forged on the way teach nothing that the store did not say',
  },
  'awareness.endless': {
    feature: 'An answer without an end is broken off by its reader.',
    test: 'an answer without an end is broken off by its reader, signed or not',
  },
  'awareness.sound': {
    feature: 'On any store where a scheme is sound, a client that uses it ends up equal to the store.',
    test: 'log: on any store where it is sound a client ends up equal to the store',
  },
  'awareness.refused-schemes': {
    feature: 'Each refusal of a scheme is backed by a history in which that scheme loses a change.',
    test: 'every refusal is needed: some history makes the refused scheme lose a change',
  },
  'awareness.paper-table': {
    feature: 'The table of the paper, which scheme needs what of a store, holds.',
    test: 'the paper’s table: what each scheme needs',
  },
  'awareness.figure-3': {
    feature: 'Figures 3 and 10 of the paper come out as printed.',
    test: 'figures 3 and 10 by signature: learn TR2 and TR4, forget TR2 and TR3',
  },
  'awareness.figure-13': {
    feature: 'Figure 13 of the paper, hierarchical signatures, comes out as printed.',
    test: 'figure 13: four rounds of seven descriptors as printed',
  },
  'awareness.figure-14': {
    feature: 'Figure 14 of the paper, clustered signatures, comes out as printed.',
    test: 'figure 14: two rounds, learn TR6 and TR9, forget TR5',
  },
  'awareness.figure-one': {
    feature:
      'Figure 1 of the paper runs: two indexes follow what three groups write, change, withdraw and let grow old.',
    test: 'figure 1: two indexes become aware of reports that three groups write, change, withdraw and let grow old',
  },
  'awareness.copied-site': {
    feature: 'A site that is copied to another disk, with every file time changed, sends no object again.',
    test: 'a site that is copied to a new disk, with every file time changed, sends no object again',
  },
  'awareness.one-hit': {
    feature: 'A record that two sources offer is one hit, and goes when its publisher withdraws it.',
    test: 'one record of two sources is one hit, and disappears when its publisher withdraws it',
  },
  'awareness.sketch': {
    feature:
      'A sketch of about twice as many cells as there are differences tells the difference of two sets.',
    test: 'the difference of any two sets is peeled from twice as many cells, or more are requested',
  },
  'awareness.choice': {
    feature:
      'The chosen scheme takes at most a tenth longer than the quickest in nearly all situations and links.',
    test: 'the engine picks a scheme within a tenth of the quickest, over links and situations',
  },
  'awareness.cost': {
    feature: 'The bytes of every scheme are as predicted and do not change unnoticed.',
    test: 'the cost of each scheme is as recorded, as predicted, and within the goals',
  },
  'awareness.two-processes': {
    feature: 'Between two processes a link that is cut at 20 points still leads to an equal copy.',
    test: 'two processes, 1,000 scattered differences, a link cut at 20 points: the copy resumes and equals the source',
  },
  'awareness.explain': {
    feature:
      '`garner awareness explain` shows what each scheme would take for a source, from the running Broker or its folder.',
    test: 'explain queries the running Broker, or opens its folder, and reports the cost of each scheme',
  },
  'awareness.explain-measure': {
    feature:
      'With `--measure` each scheme that can run is run once and its cost is shown beside the prediction.',
    test: 'every scheme is reported: refused with a reason, or predicted, chosen and measured',
  },
  'awareness.explain-source': {
    feature: '`awareness explain` takes a source by its address, its name or its server id.',
    test: 'a source is selected by address, name or server id; an unknown one is refused',
  },
  'awareness.doctor': {
    feature:
      '`garner doctor` names each scheme once, as one that loses nothing or with the reason why it would.',
    test: 'every scheme is named once: as one that loses nothing, or with the reason why it would',
  },
  'awareness.insist': {
    feature:
      'A scheme can be insisted on for all rounds or for one, and one that cannot be used is an error.',
    test: "a scheme is forced for every round or for one; an unusable one leaves the source's state unchanged",
  },
  'awareness.history': {
    feature: 'The Broker keeps the last fifty rounds of each source.',
    test: 'the last fifty rounds of a source are stored, oldest first',
  },
  'awareness.measures': {
    feature: 'What each scheme took last survives a restart.',
    test: 'the last cost of each scheme survives a restart, once for each scheme, and is removed with its source',
  },
  'awareness.filter': {
    feature: 'A Broker collects only what its filter holds for.',
    test: 'only matching objects are collected, and a changed filter changes the set at the next round',
  },
  'awareness.filter-change': {
    feature:
      'An object that a change takes out of the filter is forgotten, and one that it brings in is learned.',
    test: 'an object that a change takes out of the filter is forgotten, and one that it brings in is learned',
  },
  'awareness.filter-age': {
    feature: 'An object that grows too old for the filter leaves the copy although nobody touched it.',
    test: 'an object that grows too old leaves the copy without any change',
  },
  'awareness.filter-switch': {
    feature:
      'Another filter takes effect at the next round, which learns what is wanted now and forgets the rest.',
    test: 'another filter on the same copy is another set',
  },
  'awareness.filter-property': {
    feature:
      'With any filter, history, scheme and passing of time the copy equals what the filter holds for.',
    test: 'any history, any filter, any scheme, any passing of time: the copy equals the filtered source',
  },
  'awareness.filter-refused': {
    feature: 'A filter that means nothing is refused with its place in the configuration.',
    test: 'every filter that means nothing is refused where it stands',
  },
  'awareness.filter-config': {
    feature: 'A filter of `garner.yaml` holds for a collection and is shown by the status.',
    test: 'a configured filter applies to a collection, is named by the status, and may change',
  },
  'awareness.push': {
    feature: 'A source that opens the session itself is learned from at once and after each change.',
    test: 'a client learns from a pushing store at once and after each change, without a request',
  },
  'awareness.push-process': {
    feature: 'A Gatherer that nobody can connect to pushes its new, changed and deleted pages to a Broker.',
    test: 'a Gatherer without a reachable port pushes: new, changed and deleted pages, restarts, strangers',
  },
  'awareness.push-cut': {
    feature: 'A pushed round that is cut goes on where it stopped with the next push.',
    test: 'a session that is cut in the middle of a pushed round: the next push resumes where it stopped',
  },
  'awareness.push-strangers': {
    feature: 'A Broker takes pushes only from servers that it named, by id and key.',
    test: 'an unknown server changes nothing: another id, another key, a key that came second',
  },
  'awareness.push-waiting': {
    feature: 'While a source that pushes is away, the Broker shows it as waiting.',
    test: 'a source that pushes is collected from over its own session, and awaited when it is disconnected',
  },
  'awareness.push-by-hand': {
    feature: 'A round by hand uses the session of a source that pushes, and reports when there is none.',
    test: 'a round by hand runs over the session of a source that pushes, and fails when there is none',
  },
  'awareness.push-interval': {
    feature: 'A source that pushes is asked again after the interval.',
    test: 'a source that pushes is queried again after the interval, over its own session',
  },
  'awareness.push-turns': {
    feature: 'Of one source there is one round at a time, pushed or not.',
    test: 'rounds of a source that pushes and is connected to too follow each other',
  },
  'awareness.push-status': {
    feature:
      'A Gatherer shows for each Broker that it pushes to whether it is connected, what went wrong and what to do.',
    test: 'the status of a Broker: unreachable, refused with a hint, connected, disconnected',
  },
  'awareness.cascade': {
    feature: 'A change at a provider reaches a third Broker through filters, in real processes.',
    test: 'provider, Gatherer, Broker, Broker with a filter, Broker with a filter: real processes',
  },
  'awareness.loop': {
    feature: 'Two Brokers that collect from each other keep no deleted object alive.',
    test: 'two Brokers that collect from each other: no object keeps itself alive',
  },
  'awareness.ring': {
    feature: 'In a ring of three Brokers with filters each deletion goes round and ends.',
    test: 'a ring of three through filters, with a second way in: each path ends by itself',
  },
  'awareness.path': {
    feature:
      'The path of an object grows by one server at each Broker, and a Broker that is its own source reports it.',
    test: 'a chain: the path grows by one at each Broker, and a Broker that is its own source reports it',
  },
  'awareness.path-refused': {
    feature: 'A path that is too long or names a server twice is refused.',
    test: 'a path that is too long, names a server twice or names its sender is refused',
  },
};
