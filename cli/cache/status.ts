import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner cache status`: hit ratios, what is stored, peers. */
export const cacheStatusVerb: Verb = {
  command: 'cache status',
  describe: 'Show the store of a cache, its hit ratios and its peers',
  examples: [['cache status', 'also while it serves']],
  options: { data: dataOption },
  handler: async (run) => {
    const { askCache } = await import('./ask.ts');
    const { statusText } = await import('./status-text.ts');
    type Report = import('../../cache/index.ts').CacheReport;
    await run.output.result(await askCache<Report>(run, { path: '/status' }), statusText);
  },
};
