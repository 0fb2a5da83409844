import { askGarner, buildGarner, reopenGarner, updateGarner } from './garner.ts';
import { askGlimpse, buildGlimpse, fillBrokerStore, reopenGlimpse } from './glimpse-probe.ts';
import { askMinisearch, buildMinisearch, reopenMinisearch, updateMinisearch } from './minisearch.ts';

type Probe = (args: readonly string[]) => Promise<unknown>;

const garner =
  (positions: boolean): Probe =>
  async ([task = '', folder = '', ...args]) => {
    const [first = '', second = ''] = args;
    if (task === 'build') return buildGarner(folder, first, positions);
    if (task === 'ask') return askGarner(folder, first, positions, second);
    if (task === 'update') return updateGarner(folder, first, second);
    return reopenGarner(folder, first, positions);
  };

const minisearch: Probe = async ([task = '', folder = '', ...args]) => {
  const [first = '', second = ''] = args;
  if (task === 'build') return buildMinisearch(folder, first);
  if (task === 'ask') return askMinisearch(folder, first);
  if (task === 'update') return updateMinisearch(folder, first, second);
  return reopenMinisearch(folder, first);
};

/** Garner's Glimpse engine over a Broker's store, one task for each process: build, ask or reopen. */
export const probeIndexGlimpse: Probe = async ([task = '', folder = '', size = '', ...args]) => {
  const [first = '', second = '', third = ''] = args;
  if (task === 'build') return buildGlimpse(folder, size, first);
  if (task === 'ask') return askGlimpse({ folder, size, store: first, queryFile: second, wordFile: third });
  return reopenGlimpse(folder, size, first, second);
};

/** Fill a Broker's data folder for other tasks. */
export const probeIndexStore: Probe = async ([folder = '', file = '']) => fillBrokerStore(folder, file);

/** Garner's engine as a Broker has it, one task for each process: build, ask, update or reopen. */
export const probeIndexGarner = garner(true);
/** The same engine without positions. */
export const probeIndexGarnerBare = garner(false);
export const probeIndexMinisearch = minisearch;
