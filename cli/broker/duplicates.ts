import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker duplicates`: URLs under several Gatherers. */
export const brokerDuplicates: Verb = {
  command: 'broker duplicates',
  describe: 'List URLs that several Gatherers have summarised, and delete the older summaries',
  examples: [
    ['broker duplicates', 'list them; there may be some after a Gatherer was set up again'],
    ['broker duplicates --delete', 'delete all but the newest summary of each'],
  ],
  options: {
    data: dataOption,
    delete: { kind: 'flag', describe: 'Delete all but the newest summary of each URL' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfBroker,
  shownSettings: [],
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    type Duplicates = import('../../broker/index.ts').Duplicates;
    const { args, output } = run;
    const isDryRun = !args.flag('delete');
    const found = await administer<Duplicates>(run, {
      method: 'POST',
      path: `/control/duplicates${isDryRun ? '' : '?delete=1'}`,
    });
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
