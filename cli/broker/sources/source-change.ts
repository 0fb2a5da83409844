import { dataOption } from '../../command/common-options.ts';
import type { Run, Verb } from '../../command/verb.ts';

const positionals = { source: 'Address, name or server id of the source' };

async function change(run: Run, json: unknown): Promise<void> {
  const { administer, inPath } = await import('../administer.ts');
  const { sourceLines } = await import('./source-lines.ts');
  type Source = import('../../../broker/index.ts').ListedSource;
  const path = `/control/sources/${inPath(run.args.required('source'))}`;
  const source = await administer<Source>(run, { method: 'PUT', path, json });
  await run.output.result(source, () => sourceLines([source]));
}

/** `garner broker source pause`: stop collecting from a source until it is resumed. */
export const brokerSourcePause: Verb = {
  command: 'broker source pause <source>',
  describe: 'Stop collecting from a source until it is resumed, also after a restart; its objects stay',
  examples: [['broker source pause ws://127.0.0.1:8500', 'also for a source in the configuration']],
  positionals,
  options: { data: dataOption },
  handler: (run) => change(run, { paused: true }),
};

/** `garner broker source resume`: collect from a paused source again. */
export const brokerSourceResume: Verb = {
  command: 'broker source resume <source>',
  describe: 'Collect from a paused source again',
  examples: [['broker source resume ws://127.0.0.1:8500', 'the next round begins at once']],
  positionals,
  options: { data: dataOption },
  handler: (run) => change(run, { paused: false }),
};

/** `garner broker source set`: the time between rounds with a source. */
export const brokerSourceSet: Verb = {
  command: 'broker source set <source>',
  describe:
    'Set the maximum time between two rounds with a source; a hint from the source starts one earlier',
  examples: [
    ['broker source set ws://127.0.0.1:8500 --interval 1h', 'at least once an hour'],
    ['broker source set ws://127.0.0.1:8500', 'back to broker.interval'],
  ],
  positionals,
  options: { data: dataOption, interval: { kind: 'text', describe: 'Maximum time between two rounds' } },
  handler: async (run) => {
    const { givenDuration } = await import('../../config/bad-setting.ts');
    const seconds = givenDuration('--interval', run.args.text('interval'));
    await change(run, { intervalSeconds: seconds ?? null });
  },
};
