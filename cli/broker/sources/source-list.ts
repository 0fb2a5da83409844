import { dataOption } from '../../command/data-option.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source list`: every source, how it stands, and where it was named. */
export const brokerSourceList: Verb = {
  command: 'broker source list',
  describe: 'Every source: how it stands, how often it is asked, and where it was named',
  examples: [['broker source list', 'those of the settings, those that were added, and former ones']],
  options: { data: dataOption },
  handler: async (run) => {
    const { administer } = await import('../administer.ts');
    const { sourceLines } = await import('./source-lines.ts');
    type Sources = { readonly sources: readonly import('../../../broker/index.ts').ListedSource[] };
    const { sources } = await administer<Sources>(run, { path: '/control/sources' });
    await run.output.result(sources, () => run.typed(sourceLines(sources)));
  },
};
