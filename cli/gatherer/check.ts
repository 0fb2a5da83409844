import { dataOption, dataPath } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer check`: the consistency of the data. */
export const gathererCheck: Verb = {
  command: 'gatherer check',
  describe: 'Check the consistency of the data of a Gatherer: files, objects',
  examples: [
    ['gatherer check', 'also while it serves; exit code 1 if there are faults'],
    ['gatherer check --repair', 'identity and annotations stay; lost summaries are gathered again'],
  ],
  options: {
    data: dataOption,
    repair: { kind: 'flag', describe: 'Repair the faults' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  shownSettings: [],
  handler: (run) => checkGathererData(run, run.args.flag('repair')),
};

/** `garner gatherer repair`: the same as `check --repair`. */
export const gathererRepair: Verb = {
  command: 'gatherer repair',
  describe: 'Repair the data of a Gatherer: the same as gatherer check --repair',
  examples: [['gatherer repair', 'then garner gatherer run gathers lost summaries again']],
  options: { data: dataOption },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  shownSettings: [],
  handler: (run) => checkGathererData(run, true),
};

async function checkGathererData(run: Parameters<Verb['handler']>[0], repair: boolean): Promise<number> {
  const { openOrAsk, settingFlags } = await import('../command/open-or-ask.ts');
  const { checkFiles, checkLines, checkVerdict } = await import('../command/check-data.ts');
  const { callControl } = await import('../../http/index.ts');
  const { openDataFolder } = await import('../../store/index.ts');
  const { checkGatherer, openRows } = await import('../../gatherer/index.ts');
  const { systemClock: clock, systemRandom: random } = await import('../../kernel/index.ts');
  type Check = import('../../gatherer/index.ts').GathererCheck;
  const { args, signal, cwd } = run;
  const path = dataPath(cwd, args.required('data'), 'gatherer');
  const found = await openOrAsk<Check>(
    path,
    async () => {
      const files = await checkFiles(path, { repair, signal });
      if (files !== undefined && !repair) return files;
      await using folder = await openDataFolder(path, { role: 'gatherer', clock, random, heals: repair });
      const { fetchStore } = await openRows(folder);
      const checked = await checkGatherer(folder, fetchStore, { clock, repair, signal });
      return { ...checked, damagedFiles: [...(files?.damagedFiles ?? []), ...checked.damagedFiles] };
    },
    async (door) =>
      (await callControl(door, `/control/check${repair ? '?repair=1' : ''}`, {
        method: 'POST',
        signal,
      })) as Check,
    settingFlags(await run.config()),
  );
  await run.output.result(found, () =>
    [
      ...checkLines(found, repair),
      ...(repair && found.mended.length + (found.store?.faults ?? 0) > 0
        ? ['  next      garner gatherer run gathers again what could not be kept']
        : []),
      checkVerdict(found, repair, 'gatherer'),
    ]
      .map(run.typed)
      .join('\n'),
  );
  return found.ok ? 0 : 1;
}
