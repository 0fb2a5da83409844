import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source add`: collect from one more source. */
export const brokerSourceAdd: Verb = {
  command: 'broker source add <source>',
  describe: 'Add a source, which is collected from now on, also after a restart',
  examples: [
    ['broker source add ws://127.0.0.1:8500', 'a Gatherer or Broker by its address'],
    [
      'broker source add wss://www.example.org --query "Type: report" --interval 1h',
      'only objects that match',
    ],
  ],
  positionals: { source: 'ws:// or wss:// address, or push:ID.KEY of a server that pushes' },
  options: {
    data: dataOption,
    interval: {
      kind: 'text',
      describe: 'Maximum time between two rounds, such as 1h; default: broker.interval',
    },
    query: { kind: 'text', describe: 'Collect only objects that match' },
    'max-age': { kind: 'text', describe: 'Collect only objects that are not older, such as 260w' },
    'age-attribute': {
      kind: 'text',
      default: 'Last-Modification-Time',
      describe: 'Attribute with the time that --max-age compares',
    },
    paused: { kind: 'flag', describe: 'Add it paused' },
    'token-env': {
      kind: 'text',
      describe: 'Environment variable with the token for this source; default: wire.token',
    },
  },
  settings: async () => (await import('../../config/all-settings.ts')).settingsOfAsking,
  shownSettings: ['server.registry'],
  handler: async (run) => {
    const { failure } = await import('../../../kernel/index.ts');
    const { administer } = await import('../administer.ts');
    const { cliErrors } = await import('../../config/errors.ts');
    const { givenDuration } = await import('../../config/bad-setting.ts');
    const { sourceLines } = await import('./source-lines.ts');
    type Source = import('../../../broker/index.ts').ListedSource;
    const { args, output } = run;
    const [query, variable] = [args.text('query'), args.text('token-env')];
    const seconds = givenDuration('--max-age', args.text('max-age'));
    const intervalSeconds = givenDuration('--interval', args.text('interval'));
    const token = variable === undefined ? undefined : process.env[variable];
    if (variable !== undefined && !token)
      throw failure(cliErrors.CLI_USAGE, {
        problem: `the environment variable ${variable} is not set`,
        help: 'set it to the token; so no other user of this machine sees the token',
      });
    const age = seconds === undefined ? undefined : { attribute: args.required('age-attribute'), seconds };
    const source = await administer<Source>(
      run,
      {
        method: 'POST',
        path: '/control/sources',
        json: {
          source: args.required('source'),
          ...(intervalSeconds !== undefined && { intervalSeconds }),
          ...((query !== undefined || age !== undefined) && {
            filter: { ...(query !== undefined && { query }), ...(age && { age }) },
          }),
          ...(args.flag('paused') && { paused: true }),
          ...(token !== undefined && { token }),
        },
      },
      { creates: true },
    );
    await output.result(source, () => sourceLines([source]));
    const config = await run.config();
    if (config.list('server.registry').length > 0) {
      const { noteGathered } = await import('../../server/already-gathered.ts');
      await noteGathered([args.required('source')], { config, run });
    }
  },
};
