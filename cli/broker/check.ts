import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker check`: the data against itself. */
export const brokerCheck: Verb = {
  command: 'broker check',
  describe: 'Check the data of a Broker against itself: files, objects, copies, index',
  examples: [
    ['broker check', 'says what is wrong, also while it is serving; exit code 1 when anything is'],
    ['broker check --repair', 'mends it: what is lost is collected again, the index is made anew'],
  ],
  options: {
    data: dataOption,
    repair: { kind: 'flag', describe: 'Mend what is wrong' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfBroker,
  shownSettings: [],
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count, number } = await import('../text/number-formats.ts');
    type Check = import('../../broker/index.ts').BrokerCheck;
    const { args, output } = run;
    const repair = args.flag('repair');
    const found = await administer<Check>(run, {
      method: 'POST',
      path: `/control/check${repair ? '?repair=1' : ''}`,
    });
    await output.result(found, ({ damagedFiles, store, index, reindexed, ok }) =>
      [
        ...damagedFiles.map((file) => `  damaged   ${terminalSafe(file)}`),
        store === null
          ? '  store     its files are damaged: delete the data and collect again'
          : `  store     ${count(store.objects, 'object')}, ${number(store.rows)} rows, ${count(store.faults, 'fault')}${repair && store.faults > 0 ? `, ${number(store.left)} left` : ''}`,
        ...(store?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
        index === null
          ? '  index     not compared'
          : `  index     ${count(index.indexed, 'object')}, ${number(index.missing)} missing, ${number(index.ghosts)} too many`,
        ...(index?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
        ...(reindexed ? ['  index     made anew'] : []),
        ok ? '  ok' : repair ? '  not everything could be mended' : '  --repair mends what can be mended',
      ].join('\n'),
    );
    return found.ok ? 0 : 1;
  },
};
