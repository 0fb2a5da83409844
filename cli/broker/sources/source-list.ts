import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source list`: every source with its state and where it was added. */
export const brokerSourceList: Verb = {
  command: 'broker source list',
  describe: 'List every source: state, time between rounds, and where it was added',
  examples: [['broker source list', 'configured, added and former sources']],
  options: { data: dataOption },
  handler: async (run) => {
    const { administer } = await import('../administer.ts');
    const { sourceLines } = await import('./source-lines.ts');
    type Sources = { readonly sources: readonly import('../../../broker/index.ts').ListedSource[] };
    const { sources } = await administer<Sources>(run, { path: '/control/sources' });
    await run.output.result(sources, () => run.typed(sourceLines(sources)));
  },
};
