import { dataOption, dataPath } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker collect`: one round with every source. */
export const brokerCollect: Verb = {
  command: 'broker collect',
  describe: 'Run one round with every source now, and index the learned objects',
  examples: [
    ['broker collect --collect ws://127.0.0.1:8500', 'print the learned objects and bytes of each round'],
    ['broker collect --scheme signature', 'use one scheme instead of the one that the source chooses'],
  ],
  options: { data: dataOption },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfBroker,
  shownSettings: ['broker.collect', 'broker.scheme'],
  handler: async (run) => {
    const { openOrAsk, settingFlags } = await import('../command/open-or-ask.ts');
    const { orInterrupted } = await import('../command/interrupt.ts');
    const { openBroker } = await import('./serving/open-broker.ts');
    const { brokerSources } = await import('../config/source-filters.ts');
    const { callControl } = await import('../../http/index.ts');
    const { roundLines } = await import('./round-lines.ts');
    type Rounds = { readonly rounds: readonly import('../../exchange/events.ts').RoundReport[] };
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const sources = brokerSources(config);
    const path = dataPath(cwd, args.required('data'), 'broker');
    const { rounds } = await openOrAsk<Rounds>(
      path,
      async () => {
        await using opened = await openBroker(path, sources, config);
        const waited = sources.filter(({ pusher }) => pusher !== undefined);
        if (waited.length > 0)
          output.note(
            `${waited.map(({ url }) => url).join(', ')}: left out, because a source that pushes connects to garner broker serve`,
          );
        const { broker } = opened;
        broker.start();
        const done = await orInterrupted(broker.collector.collectNow(), signal);
        await orInterrupted(broker.indexer.reached(broker.folder.store.lsn), signal);
        // Merging later would slow the next command down.
        await orInterrupted(opened.settled(), signal);
        return { rounds: done };
      },
      async (door) => {
        // Of the settings given here only the scheme is passed on.
        const asked = config.isGiven('broker.scheme') ? `?scheme=${config.text('broker.scheme')}` : '';
        return (await callControl(door, `/control/collect${asked}`, { method: 'POST', signal })) as Rounds;
      },
      settingFlags(config).filter((flag) => flag !== '--scheme'),
    );
    await output.result(
      rounds,
      () =>
        roundLines(rounds) || '  no round: no sources (--collect), or the ones that push are not connected',
    );
  },
};
