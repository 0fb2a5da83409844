import type { StoreModel } from '../../awareness/index.ts';

/** What every object store is to those who learn from it, a Gatherer's as a Broker's. */
export const objectStoreModel: StoreModel = {
  updates: 'in-place',
  deletes: true,
  handleReuse: true,
  handles: 'arbitrary',
  monotoneStamps: true,
  tombstones: true,
  log: true,
};
