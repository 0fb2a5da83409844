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
};
