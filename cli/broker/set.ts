import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker set`: change settings while a Broker serves. */
export const brokerSet: Verb = {
  command: 'broker set [key] [value]',
  describe: 'Change a setting of a Broker while it serves; it overrides the file, also after a restart',
  examples: [
    ['broker set', 'list the settings with the origin of each value'],
    ['broker set broker.time-to-live 14d', 'for objects without a Time-to-Live'],
    ['broker set broker.time-to-live --unset', 'back to the configuration'],
  ],
  positionals: {
    key: 'Name of the setting',
    value: 'A time such as 5m; entries of a list separated by commas',
  },
  options: {
    data: dataOption,
    unset: { kind: 'flag', describe: 'Remove the change: the configuration applies again' },
  },
  handler: async (run) => {
    const { administer, inPath } = await import('./administer.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { failure, formatDuration, parseDuration } = await import('../../kernel/index.ts');
    type Setting = import('../../broker/index.ts').LiveSetting;
    const { args, output } = run;
    const [key, text, unset] = [args.text('key'), args.text('value'), args.flag('unset')];
    const { settings } = await administer<{ readonly settings: readonly Setting[] }>(run, {
      path: '/control/settings',
    });
    const shown = ({ kind, value }: Setting) =>
      kind === 'duration' ? formatDuration(Number(value)) : [value].flat().join(', ');
    const line = (one: Setting) => `  ${one.key.padEnd(20)}  ${shown(one).padEnd(8)}  ${one.from}`;
    if (key === undefined) {
      await output.result(settings, () => settings.map(line).join('\n'));
      return;
    }
    const usage = (problem: string) =>
      failure(cliErrors.CLI_USAGE, { problem, help: `garner broker set ${key} 5m, or --unset` });
    if ((text === undefined) !== unset) throw usage('give a value, or --unset');
    const kind = settings.find((one) => one.key === key)?.kind ?? 'choice';
    const seconds = kind === 'duration' && text !== undefined ? parseDuration(text) : undefined;
    if (kind === 'duration' && !unset && seconds === undefined)
      throw usage(`${JSON.stringify(text?.slice(0, 40))} is not a time`);
    const list = text?.split(/[\s,]+/).filter((one) => one !== '');
    const value = unset ? null : kind === 'duration' ? seconds : kind === 'list' ? list : text;
    const path = `/control/settings/${inPath(key)}`;
    const changed = await administer<Setting>(run, { method: 'PUT', path, json: { value } });
    await output.result(changed, line);
  },
};
