import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source collect`: one round with one source, now. */
export const brokerSourceCollect: Verb = {
  command: 'broker source collect [source]',
  describe: 'Run one round with a source now, or with every source, and index the learned objects',
  examples: [
    ['broker source collect ws://127.0.0.1:8500', 'print the learned objects and bytes of the round'],
    ['broker source collect', 'with every source that is not paused'],
  ],
  positionals: { source: 'Address, name or server id of a source; without it every source' },
  options: { data: dataOption },
  handler: async (run) => {
    const { administer, inPath } = await import('../administer.ts');
    const { roundLines } = await import('../round-lines.ts');
    type Rounds = { readonly rounds: readonly import('../../../exchange/events.ts').RoundReport[] };
    const source = run.args.text('source');
    const path = `/control/collect${source === undefined ? '' : `?source=${inPath(source)}`}`;
    const { rounds } = await administer<Rounds>(run, { method: 'POST', path }, { collects: true });
    await run.output.result(
      rounds,
      () => roundLines(rounds) || '  no round: no sources, or they are paused or push and are not connected',
    );
  },
};
