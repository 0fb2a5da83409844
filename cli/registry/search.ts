import type { Verb } from '../command/verb.ts';

/** Exit code where no peer could be reached. */
const unreachableExit = 12;

/** `garner search`: search the Brokers of a Registry as one. */
export const search: Verb = {
  command: 'search <query..>',
  describe: 'Search the Brokers of a Registry as one: one ranked list, each hit with its Brokers',
  examples: [
    ['search tide harbour --registry https://registry.example.org', 'all Brokers of that Registry'],
    ['search tide harbour --brokers 5 --deadline 1', 'at most five Brokers, after at most one second'],
    ['search tide harbour --json', 'for programs'],
  ],
  positionals: { query: 'The query, as garner broker search has it' },
  options: {
    registry: {
      kind: 'list',
      describe: 'Address of the Registry, the nearest of several; those of server.registry when absent',
    },
    limit: { kind: 'count', default: 10, describe: 'Maximum number of hits to show' },
    offset: { kind: 'count', default: 0, describe: 'Number of hits to skip' },
    brokers: { kind: 'count', range: [1, 64], describe: 'Maximum number of Brokers to ask, 1 to 64' },
    deadline: {
      kind: 'text',
      describe:
        'Time after which the answer is printed, such as 2s, with the Brokers that have answered by then',
    },
    exact: { kind: 'flag', describe: 'Answer the query as given: no word is corrected or made optional' },
  },
  settings: async () => {
    const { registrationSettings } = await import('../../registry/settings.ts');
    return registrationSettings.filter(({ key }) => key === 'server.registry');
  },
  shownSettings: [],
  handler: async (run) => {
    const { askRegistryAt, ownToken } = await import('./ask-registry.ts');
    const { answerLines } = await import('../broker/answer-lines.ts');
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../config/errors.ts');
    type Answer = import('../../broker/index.ts').FederatedAnswer;
    const { args, output } = run;
    const typed = args.list('query').join(' ');
    if (typed.trim() === '')
      throw failure(cliErrors.CLI_USAGE, { problem: 'the query is empty', help: 'garner search WORD' });
    const named = args.list('registry');
    const registries = named.length > 0 ? named : (await run.config()).list('server.registry');
    if (registries.length === 0)
      throw failure(cliErrors.CLI_USAGE, {
        problem: 'no Registry is set',
        help: 'garner search WORD --registry URL, or set server.registry in garner.yaml',
      });
    const parameters = new URLSearchParams({
      q: typed,
      ...{ limit: String(args.count('limit')), offset: String(args.count('offset')), fold: '1' },
      ...(args.flag('exact') && { exact: '1' }),
    });
    const asked = { brokers: args.count('brokers'), deadline: args.text('deadline') };
    for (const [name, value] of Object.entries(asked))
      if (value !== undefined) parameters.set(name, String(value));
    const answer = (await askRegistryAt(registries, `/federated?${parameters}`, run.signal, {
      ...(named.length > 0 && (await ownToken(run))),
      list: 'hits',
    })) as Answer;
    // It names each Broker with the reason, so it is printed in either case.
    await output.result(answer, () => answerLines(answer, typed, output));
    return answer.coverage.answered === 0 ? unreachableExit : undefined;
  },
};
