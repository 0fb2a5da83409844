import type { Area } from './feature.ts';

export const store: Area = {
  'store.reopen': {
    feature: 'Objects are found with their provenance after the store is opened again.',
    test: 'an object is found again with its provenance after reopening',
  },
  'store.log': {
    feature: 'The change log holds each object once, by its last change, and keeps deletions.',
    test: 'the log holds each object once, by its last change, and keeps deletions',
  },
  'store.comes-back': {
    feature: 'An object that comes back after its deletion leaves no tombstone.',
    test: 'an object comes back after its deletion without its tombstone',
  },
  'store.snapshot': {
    feature: 'A snapshot shows one moment of the store, whatever is written meanwhile.',
    test: 'a snapshot does not move',
  },
  'store.expiry': {
    feature: 'An object whose Time-to-Live has ended is removed, after the grace period if there is one.',
    test: 'objects that have outlived their time-to-live are deleted, in order and by the given clock',
  },
  'store.tombstones': {
    feature: 'Old tombstones are forgotten, and the horizon records the last forgotten change.',
    test: 'forgotten tombstones move the horizon and nothing else',
  },
  'store.history': {
    feature:
      'After any history and any restarts the contents, counts, fingerprint and log agree with a plain map.',
    test: 'any history: contents, count, fingerprint and log agree with a plain map, across restarts',
  },
  'store.partitions': {
    feature: 'An object that two sources offer is stored once and stays while one of them offers it.',
    test: 'partitions: an object two sources offer is stored once and stays while one offers it',
  },
  'store.newest-wins': {
    feature: 'The newer of two versions of an object from two sources is stored.',
    test: 'partitions: the newest content wins, and content that lost its source is learned again',
  },
  'store.paths': {
    feature: 'An object stays while a source offers it by a valid path.',
    test: 'an object is present while a source offers it by a valid path, whatever the others report',
  },
  'store.sketch': {
    feature: 'The sketch and fingerprint of every set follow its rows through any history and any restart.',
    test: 'any history: the sketch, sums and fingerprint of every set are those of its rows, and names find them',
  },
  'store.standing-sets': {
    feature: 'Each standing set holds exactly the objects that match its definition, after any history.',
    test: 'after any history, each set matches its definition, and its log shows how',
  },
  'store.later-set': {
    feature: 'A standing set that is defined later is filled from what the store already has.',
    test: 'a set that is made later is filled from the present objects, the others are not touched',
  },
  'store.upgrade': {
    feature: 'A store of the first format is brought up to date once.',
    test: 'a store of the first format is updated, its partitions too, once',
  },
  'store.clients': {
    feature: 'The store remembers how far the last thousand clients have learned.',
    test: 'of more than a thousand clients the most recent ones are remembered',
  },
  'store.lock': {
    feature:
      'A second process gets an error with the process id and address of the one that holds the folder.',
    test: 'the holder of a folder is reported with its address, and forgotten when it closes',
  },
  'store.folder': {
    feature: 'Missing data folders are made for their user alone.',
    test: 'missing folders are made one by one, for this user alone',
  },
  'store.no-folder': {
    feature: 'A data folder below a file is refused, and the message names the file.',
    test: 'a place below a file is refused by its name',
  },
  'store.bad-identity': {
    feature: 'A damaged identity file is an error and is never replaced.',
    test: 'an identity file that is not a file is reported as such',
  },
  'store.damage': {
    feature: 'Reading a damaged file gives an error that says what to do.',
    test: 'any read of a damaged file reports it, with a hint',
  },
  'store.full-disk': {
    feature: 'A full disk, a refused file and damage have three different errors.',
    test: 'a full disk and a refusal differ from damage; other errors stay as they are',
  },
  'store.no-current': {
    feature: 'A database without its CURRENT file is refused and keeps its files.',
    test: 'a database without CURRENT is not opened as an empty one, and its files stay',
  },
  'store.kill': {
    feature:
      'After `kill -9` of a writing process only whole steps are found, and none that was completed is lost.',
    test: 'kill -9 of a process that writes a store: whole steps and nothing else are found again',
  },
  'store.check': {
    feature: 'A check of an undamaged store finds nothing.',
    test: 'an undamaged store has no faults',
  },
  'store.repair': {
    feature:
      'Any damage to rows is found by the check, and the repair leaves a store that agrees with itself.',
    test: 'any damage to rows is found, and repaired so that the store is consistent',
  },
  'store.repair-reported': {
    feature: 'Clients of a store learn that a repair removed an object.',
    test: 'followers of a store get the deletion of an object that a check could not keep',
  },
  'store.own-and-collected': {
    feature:
      'Of an object that is published in a store and also collected, in any order, the newest signed statement holds.',
    test: 'published here and collected in any order, the newest signed statement holds',
  },
  'store.own-ends': {
    feature: 'An object that was published in a store expires there, and outlives the lifting of a block.',
    test: 'an object that was published here expires, and is unblocked, as such',
  },
};
