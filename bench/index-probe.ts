import { askGarner, buildGarner, reopenGarner, updateGarner } from './index-garner.ts';
import { askMinisearch, buildMinisearch, reopenMinisearch, updateMinisearch } from './index-minisearch.ts';

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

/** Garner's engine as a Broker has it, one task to a process: build, ask, update or reopen. */
export const probeIndexGarner = garner(true);
/** The same without positions. */
export const probeIndexGarnerBare = garner(false);
export const probeIndexMinisearch = minisearch;
