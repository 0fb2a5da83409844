import { dataOption } from '../../command/data-option.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source add`: collect from one more source, from now on. */
export const brokerSourceAdd: Verb = {
  command: 'broker source add <source>',
  describe: 'Collect from one more source, now and after each restart',
  examples: [
    ['broker source add ws://127.0.0.1:8500', 'a Gatherer or Broker by its address'],
    ['broker source add wss://www.example.org --query "Type: report" --interval 1h', 'only what matches'],
  ],
  positionals: { source: 'ws:// or wss:// address, or push:ID.KEY of a server that pushes' },
  options: {
    data: dataOption,
    interval: {
      kind: 'text',
      describe: 'Longest time between two rounds, such as 1h; broker.interval without',
    },
    query: { kind: 'text', describe: 'Take only what matches' },
    'max-age': { kind: 'text', describe: 'Take only what is not older, such as 260w' },
    'age-attribute': {
      kind: 'text',
      default: 'Last-Modification-Time',
      describe: 'The attribute that tells the age',
    },
    paused: { kind: 'flag', describe: 'Add it, and ask it when it is resumed' },
    'token-env': {
      kind: 'text',
      describe: 'Variable that holds the token to show to it; wire.token without',
    },
  },
  handler: async (run) => {
    const { failure } = await import('../../../kernel/index.ts');
    const { administer } = await import('../administer.ts');
    const { cliErrors } = await import('../../config/errors.ts');
    const { givenDuration } = await import('../../config/given-duration.ts');
    const { sourceLines } = await import('./source-lines.ts');
    type Source = import('../../../broker/index.ts').ListedSource;
    const { args, output } = run;
    const [query, variable] = [args.text('query'), args.text('token-env')];
    const seconds = givenDuration('--max-age', args.text('max-age'));
    const intervalSeconds = givenDuration('--interval', args.text('interval'));
    const token = variable === undefined ? undefined : process.env[variable];
    if (variable !== undefined && !token)
      throw failure(cliErrors.CLI_USAGE, {
        problem: `the variable ${variable} is not set`,
        help: 'put the token there, so that no other user of this machine sees it',
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
  },
};
