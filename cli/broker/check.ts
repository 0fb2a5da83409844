import { dataOption } from '../command/common-options.ts';
import type { Run, Verb } from '../command/verb.ts';

const options = { data: dataOption };

/** `garner broker check`: the consistency of the data. */
export const brokerCheck: Verb = {
  command: 'broker check',
  describe: 'Check the consistency of the data of a Broker: files, objects, copies, index',
  examples: [
    ['broker check', 'also while it serves; exit code 1 if there are faults'],
    ['broker check --repair', 'lost objects are collected again, a damaged index is rebuilt'],
  ],
  options: { ...options, repair: { kind: 'flag', describe: 'Repair the faults' } },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfBroker,
  shownSettings: [],
  handler: (run) => checkBrokerData(run, run.args.flag('repair')),
};

/** `garner broker repair`: the same as `check --repair`. */
export const brokerRepair: Verb = {
  command: 'broker repair',
  describe: 'Repair the data of a Broker: the same as broker check --repair',
  examples: [
    ['broker repair', 'identity, tokens, keys, sources and settings stay as far as they can be read'],
  ],
  options,
  settings: async () => (await import('../config/all-settings.ts')).settingsOfBroker,
  shownSettings: [],
  handler: (run) => checkBrokerData(run, true),
};

async function checkBrokerData(run: Run, repair: boolean): Promise<number> {
  const { administer } = await import('./administer.ts');
  const { checkFiles, checkLines, checkVerdict } = await import('../command/check-data.ts');
  const { terminalSafe } = await import('../text/output.ts');
  const { count, number } = await import('../text/number-formats.ts');
  const { indexName } = await import('../../broker/index.ts');
  type Check = import('../../broker/index.ts').BrokerCheck;
  const { output, signal } = run;
  const used = indexName((await run.config()).text('broker.engine'));
  // An index is rebuilt when it is opened; that of another engine is not in use.
  const unused = (name: string) => name.startsWith('index') && name !== used;
  let before: readonly string[] = [];
  const checked = await administer<Check>(
    run,
    { method: 'POST', path: `/control/check${repair ? '?repair=1' : ''}` },
    {
      heals: repair,
      before: async (data) => {
        const files = await checkFiles(data, { repair, signal, unused });
        before = files?.damagedFiles ?? [];
        return files && !repair ? { ...files, index: null, reindexed: false } : undefined;
      },
    },
  );
  const found = repair ? { ...checked, damagedFiles: [...before, ...checked.damagedFiles] } : checked;
  const { index, reindexed } = found;
  await output.result(found, () =>
    [
      ...checkLines(found, repair),
      index === null
        ? '  index     not compared'
        : `  index     ${count(index.indexed, 'object')}, ${number(index.missing)} missing, ${number(index.ghosts)} extra`,
      ...(index?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
      ...(reindexed ? ['  index     rebuilt'] : []),
      ...(found.mended.length > 0
        ? ['  next      the next collection learns again what could not be kept']
        : []),
      checkVerdict(found, repair, 'broker'),
    ].join('\n'),
  );
  return found.ok ? 0 : 1;
}
