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
};
