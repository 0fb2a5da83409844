import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker check`: the consistency of the data. */
export const brokerCheck: Verb = {
  command: 'broker check',
  describe: 'Check the consistency of the data of a Broker: files, objects, copies, index',
  examples: [
    ['broker check', 'also while it serves; exit code 1 if there are faults'],
    ['broker check --repair', 'lost objects are collected again, a damaged index is rebuilt'],
  ],
  options: {
    data: dataOption,
    repair: { kind: 'flag', describe: 'Repair the faults' },
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
          ? '  store     damaged files: delete the data and collect again'
          : `  store     ${count(store.objects, 'object')}, ${number(store.rows)} rows, ${count(store.faults, 'fault')}${repair && store.faults > 0 ? `, ${number(store.left)} left` : ''}`,
        ...(store?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
        index === null
          ? '  index     not compared'
          : `  index     ${count(index.indexed, 'object')}, ${number(index.missing)} missing, ${number(index.ghosts)} extra`,
        ...(index?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
        ...(reindexed ? ['  index     rebuilt'] : []),
        ok ? '  ok' : repair ? '  some faults remain' : '  --repair repairs what can be repaired',
      ].join('\n'),
    );
    return found.ok ? 0 : 1;
  },
};
