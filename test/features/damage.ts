import type { Area } from './feature.ts';

const gathererTest =
  'case a03: a bit flipped in the log of a Gatherer is noticed, and costs neither identity nor annotations';
const brokerTest = 'case a04: a bit flipped in the logs of a Broker, or a cut, is found and mended';

export const damage: Area = {
  'damage.noticed-at-opening': {
    feature: 'A damaged log, manifest or table of any database is STORE_DAMAGED at opening, and named.',
    test: gathererTest,
  },
  'damage.gatherer-check': {
    feature: '`garner gatherer check` finds damage; `check --repair` and `repair` keep all that can be read.',
    test: gathererTest,
  },
  'damage.gathers-again': {
    feature: 'A Gatherer gathers again what damage has cost it, and deletes what damage brought back.',
    test: gathererTest,
  },
  'damage.broker-files': {
    feature: '`garner broker check` reads the logs of every database, and notices one that has lost its end.',
    test: brokerTest,
  },
  'damage.collects-again': {
    feature: 'A Broker collects again what damage has cost it, and ends equal to its sources.',
    test: brokerTest,
  },
  'damage.open-files': {
    feature:
      'Descriptors that run out end a command with CLI_OUT_OF_FILES and its cure; `doctor` checks the limit.',
    test: 'case a05: descriptors that run out are an error of their own, and doctor checks the limit',
  },
  'damage.open-files-of-servers': {
    feature:
      'A server whose descriptors run out logs CLI_OUT_OF_FILES, and continues when there are some again.',
    test: 'case a05: a server without a free descriptor logs CLI_OUT_OF_FILES and goes on',
  },
  'damage.doctor': {
    feature:
      '`garner doctor` opens each store, names damaged files with the cure, and asks running servers for their health.',
    test: 'doctor opens the stores: it names damaged files with the cure, and asks a running server',
  },
  'damage.health': {
    feature:
      '`/health` reports full disks, damaged files and silent sources; a silent source is no reason for 503.',
    test: 'case a10: health tells of a full disk, of silent sources and of repaired data',
  },
  'damage.full-at-opening': {
    feature: 'A data folder that cannot be opened for lack of room is STORE_FULL.',
    test: 'a folder that cannot be opened for lack of room is STORE_FULL, not unreadable, and opens when there is room',
  },
  'damage.read-in-background': {
    feature: 'Tables beyond the first 4 MiB are read while a server runs, at a bounded rate.',
    test: 'tables that opening does not read are read in the background, and damage is reported by name',
  },
  'damage.second-copies': {
    feature: 'Identity, site and tokens have a second copy, from which a damaged file is restored.',
    test: 'identity and site have a second copy, which heals the first; both damaged is an error that changes nothing',
  },
  'damage.annotations-twice': {
    feature: 'Annotations have a second copy, from which damaged ones come back.',
    test: 'an annotation whose record is damaged comes back from its second copy, and a deleted one stays deleted',
  },
  'damage.flips-gatherer': {
    feature:
      'A bit flipped anywhere in the data of a Gatherer is noticed or harmless, and healed; Brokers end equal.',
    test: 'a bit flipped anywhere in the data of a Gatherer is noticed or harmless, and a Broker behind it ends equal',
  },
  'damage.flips-broker': {
    feature: 'A bit flipped anywhere in the data of a Broker is noticed or harmless, and healed.',
    test: 'a bit flipped anywhere in the data of a Broker is noticed or harmless, and it collects again what it lost',
  },
  'damage.live-tables': {
    feature:
      'Only tables that the manifest names count as damaged: an unfinished one of a compaction does not.',
    test: 'only tables that the manifest names can be damaged: an unfinished one is no damage',
  },
};
