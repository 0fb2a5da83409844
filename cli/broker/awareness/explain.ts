import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner awareness explain`: the cost of each scheme between a Broker and one of its sources. */
export const awarenessExplain: Verb = {
  command: 'awareness explain <source>',
  describe: 'Compare the schemes of awareness for a source: possible or not, predicted cost, measured cost',
  examples: [
    [
      'awareness explain ws://127.0.0.1:8500',
      'predictions for the Broker in ./garner-data, and the last rounds',
    ],
    ['awareness explain ws://127.0.0.1:8500 --measure', 'run each scheme once, and store nothing'],
  ],
  positionals: { source: 'Address, name or server id of a source, as in garner broker status' },
  options: {
    data: dataOption,
    measure: { kind: 'flag', describe: 'Run each possible scheme, for handles and signatures only' },
    all: { kind: 'flag', describe: 'With --measure: also schemes predicted to take more than 10 MB' },
  },
  settings: async () => (await import('../../config/all-settings.ts')).settingsOfBroker,
  shownSettings: ['broker.collect'],
  handler: async (run) => {
    const { askBroker } = await import('../ask-broker.ts');
    const { explainText } = await import('./explain-text.ts');
    const { args, output } = run;
    const parameters = new URLSearchParams({ source: args.required('source') });
    for (const name of ['measure', 'all']) if (args.flag(name)) parameters.set(name, '1');
    if (args.flag('measure')) output.note('measuring: each scheme runs once, and nothing is stored');
    type Report = import('../../../broker/index.ts').AwarenessReport;
    const report = (await askBroker(run, `/control/awareness?${parameters}`)) as Report;
    for (const { scheme, skipped } of report.schemes)
      if (skipped !== null) output.note(`${scheme} was not measured: ${skipped}`);
    await output.result(report, (value) => explainText(value, (text) => output.style('bold', text)));
  },
};
