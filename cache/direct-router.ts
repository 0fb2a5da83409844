import type { PeerRouter } from './exchange.ts';

/** For a cache without neighbours: everything is asked of its origin. */
export const directRouter: PeerRouter = {
  routes: async () => [{ to: 'origin' }],
  outcome: () => undefined,
};
