import { dataOption } from '../../command/data-option.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source collect`: one round with one source, now. */
export const brokerSourceCollect: Verb = {
  command: 'broker source collect [source]',
  describe: 'Run one round with a source now, or with every source, and index what was learned',
  examples: [
    ['broker source collect ws://127.0.0.1:8500', 'prints what was learned and what it cost'],
    ['broker source collect', 'with every source that is not paused'],
  ],
  positionals: { source: 'Its address, name or server id; every source without' },
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
      () =>
        roundLines(rounds) || '  no source was asked: none is named, or they are paused or push and are away',
    );
  },
};
