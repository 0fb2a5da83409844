import { dataOption } from '../../command/data-option.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner awareness explain`: what each scheme takes between a Broker and one of its sources. */
export const awarenessExplain: Verb = {
  command: 'awareness explain <source>',
  describe: 'Every scheme of awareness for a source: may it be run, what it should take, what it took',
  examples: [
    [
      'awareness explain ws://127.0.0.1:8500',
      'predictions for the Broker in ./garner-data, and the last rounds',
    ],
    ['awareness explain ws://127.0.0.1:8500 --measure', 'runs each scheme once and keeps nothing of it'],
  ],
  positionals: { source: "A source's address, name or server id, as garner broker status has them" },
  options: {
    data: dataOption,
    measure: { kind: 'flag', describe: 'Run each scheme that may be run, for handles and signatures only' },
    all: { kind: 'flag', describe: 'With --measure: also those predicted to take more than 10 MB' },
  },
  settings: async () => (await import('../../config/all-settings.ts')).settingsOfBroker,
  shownSettings: ['broker.collect'],
  handler: async (run) => {
    const { askBroker } = await import('../ask-broker.ts');
    const { explainText } = await import('./explain-text.ts');
    const { args, output } = run;
    const parameters = new URLSearchParams({ source: args.required('source') });
    for (const name of ['measure', 'all']) if (args.flag(name)) parameters.set(name, '1');
    if (args.flag('measure')) output.note('measuring: each scheme is run once, and nothing of it is kept');
    type Report = import('../../../broker/index.ts').AwarenessReport;
    const report = (await askBroker(run, `/control/awareness?${parameters}`)) as Report;
    for (const { scheme, skipped } of report.schemes)
      if (skipped !== null) output.note(`${scheme} was not measured: ${skipped}`);
    await output.result(report, (value) => explainText(value, (text) => output.style('bold', text)));
  },
};
