import { dataOption } from '../../command/data-option.ts';
import type { Run, Verb } from '../../command/verb.ts';

const positionals = { source: 'Its address, name or server id' };

async function change(run: Run, json: unknown): Promise<void> {
  const { administer, inPath } = await import('../administer.ts');
  const { sourceLines } = await import('./source-lines.ts');
  type Source = import('../../../broker/index.ts').ListedSource;
  const path = `/control/sources/${inPath(run.args.required('source'))}`;
  const source = await administer<Source>(run, { method: 'PUT', path, json });
  await run.output.result(source, () => sourceLines([source]));
}

/** `garner broker source pause`: ask a source no more until it is resumed. */
export const brokerSourcePause: Verb = {
  command: 'broker source pause <source>',
  describe: 'Ask a source no more until it is resumed, restarts included; what it gave stays',
  examples: [['broker source pause ws://127.0.0.1:8500', 'one of the settings may rest too']],
  positionals,
  options: { data: dataOption },
  handler: (run) => change(run, { paused: true }),
};

/** `garner broker source resume`: ask a paused source again. */
export const brokerSourceResume: Verb = {
  command: 'broker source resume <source>',
  describe: 'Ask a paused source again',
  examples: [['broker source resume ws://127.0.0.1:8500', 'it is asked at once']],
  positionals,
  options: { data: dataOption },
  handler: (run) => change(run, { paused: false }),
};

/** `garner broker source set`: how often a source is asked. */
export const brokerSourceSet: Verb = {
  command: 'broker source set <source>',
  describe: 'Set how often a source is asked when it sends no hint',
  examples: [
    ['broker source set ws://127.0.0.1:8500 --interval 1h', 'at least once an hour'],
    ['broker source set ws://127.0.0.1:8500', 'as often as broker.interval says'],
  ],
  positionals,
  options: { data: dataOption, interval: { kind: 'text', describe: 'Longest time between two rounds' } },
  handler: async (run) => {
    const { givenDuration } = await import('../../config/given-duration.ts');
    const seconds = givenDuration('--interval', run.args.text('interval'));
    await change(run, { intervalSeconds: seconds ?? null });
  },
};
