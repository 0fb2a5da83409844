import { dataOption, dataPath } from '../data-option.ts';
import type { Verb } from '../verb.ts';

/** `garner broker duplicates`: URLs under several Gatherers. */
export const brokerDuplicates: Verb = {
  command: 'broker duplicates',
  describe: 'List URLs that several Gatherers have summarised, and delete the older summaries',
  examples: [
    ['broker duplicates', 'says which there are, as after a Gatherer was set up anew'],
    ['broker duplicates --delete', 'keeps the newest summary of each'],
  ],
  options: {
    data: dataOption,
    delete: { kind: 'flag', describe: 'Delete all but the newest of each' },
  },
  settings: async () => (await import('../all-settings.ts')).settingsOfBroker,
  shownSettings: [],
  handler: async (run) => {
    const { openOrAsk } = await import('../holder.ts');
    const { orInterrupted } = await import('../interrupt.ts');
    const { openBroker } = await import('../open-broker.ts');
    const { callControl } = await import('../../http/index.ts');
    const { terminalSafe } = await import('../output.ts');
    const { count } = await import('../wording.ts');
    type Duplicates = import('../../broker/index.ts').Duplicates;
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const isDryRun = !args.flag('delete');
    const path = dataPath(cwd, args.required('data'), 'broker');
    const found = await openOrAsk<Duplicates>(
      path,
      async () => {
        await using opened = await openBroker(path, [], config, { create: false });
        return await orInterrupted(opened.broker.duplicates({ isDryRun, signal }), signal);
      },
      async (door) =>
        (await callControl(door, `/control/duplicates${isDryRun ? '' : '?delete=1'}`, {
          method: 'POST',
          signal,
        })) as Duplicates,
    );
    await output.result(found, ({ urls, isCut, deleted }) =>
      [
        ...urls.map(
          ({ url, older }) =>
            `  ${terminalSafe(url)}: ${count(older.length, 'older summary', 'older summaries')}`,
        ),
        `${count(urls.length, 'URL')} under several Gatherers${isCut ? ', and more' : ''}; ${isDryRun ? 'nothing was deleted (--delete)' : `${count(deleted, 'summary', 'summaries')} deleted`}`,
      ].join('\n'),
    );
  },
};
