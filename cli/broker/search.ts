import { dataOption } from '../command/common-options.ts';
import type { Verb, VerbOption } from '../command/verb.ts';

/** The options of a query, as flags of a verb. */
const queryOptionFlags: Readonly<Record<string, VerbOption>> = {
  case: { kind: 'flag', describe: 'Match words exactly as written: case, accents and endings count' },
  part: { kind: 'flag', describe: 'Find words inside words too' },
  errors: { kind: 'text', describe: 'Number of letters in which a word may differ, 0 to 8, or best' },
  lines: { kind: 'count', describe: 'Number of matching lines to show for each hit' },
  max: { kind: 'count', describe: 'Maximum number of hits over all pages' },
};

/** `garner broker search`: search from a terminal. */
export const brokerSearch: Verb = {
  command: 'broker search <query..>',
  describe:
    'Search: words, "phrases", prefix*, NEAR, AND OR NOT, parentheses, Attribute: value, /regex/, word~2',
  examples: [
    ['broker search window functions', 'both words, best first'],
    ['broker search \'Title: install AND NOT "windows xp"\' --json', 'for programs'],
    ['broker search window functions --with https://docs.example.org', 'one ranked list from two Brokers'],
    ["broker search 'Title: /^git-[a-z]+$/ AND File-Size: >10k' --lines 2", 'with matching lines'],
    ['broker search --errors best proxxy', 'the nearest words in the index'],
    ['broker search -- window -glass', 'words that begin with a dash come after --'],
  ],
  positionals: { query: 'The query' },
  options: {
    data: dataOption,
    limit: { kind: 'count', describe: 'Maximum number of hits to show; default 10, with --jsonl all' },
    sort: {
      kind: 'text',
      describe: 'Order by date, size, title or url, with a - before it for the opposite order',
    },
    source: { kind: 'list', describe: 'Only objects of the source with this id' },
    type: { kind: 'list', describe: 'Only objects of this type' },
    filter: {
      kind: 'list',
      describe: 'Only objects with this value of a facet, such as year:2024 or language:en',
    },
    'per-source': { kind: 'count', describe: 'Maximum number of hits from one source' },
    copies: { kind: 'flag', describe: 'Show documents with equal bytes as separate hits' },
    jsonl: {
      kind: 'flag',
      describe:
        'Print every hit as a line of JSON, in one list that stays consistent while the index changes',
    },
    exact: { kind: 'flag', describe: 'Answer the query as given: no word is corrected or made optional' },
    offset: { kind: 'count', default: 0, describe: 'Number of hits to skip' },
    ...queryOptionFlags,
    with: {
      kind: 'list',
      describe: 'Also search the Broker at this URL, and merge the hits; may be repeated',
    },
  },
  handler: async (run) => {
    const { askBroker, withBroker } = await import('./ask-broker.ts');
    const { withOptions } = await import('./query-with-options.ts');
    const { searchWith } = await import('./search-with.ts');
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { terminalSafeJson } = await import('../text/output.ts');
    const { answerLines } = await import('./answer-lines.ts');
    type Answer =
      | import('../../broker/index.ts').SearchAnswer
      | import('../../broker/index.ts').TogetherAnswer;
    const { args, output } = run;
    const typed = args.list('query').join(' ');
    if (typed.trim() === '')
      throw failure(cliErrors.CLI_USAGE, {
        problem: 'the query is empty',
        help: 'garner broker search WORD, or garner broker search -- -WORD for a word that begins with a dash',
      });
    const parameters = new URLSearchParams({
      q: withOptions(typed, args),
      limit: String(args.count('limit') ?? 10),
      offset: String(args.count('offset') ?? 0),
      ...(args.flag('copies') ? {} : { fold: '1' }),
      ...(args.text('sort') === undefined ? {} : { sort: args.required('sort') }),
      ...(args.count('per-source') === undefined ? {} : { 'per-source': String(args.count('per-source')) }),
      ...(args.flag('exact') ? { exact: '1' } : {}),
    });
    for (const name of ['source', 'type', 'filter'])
      for (const value of args.list(name)) parameters.append(name, value);
    const others = args.list('with');
    if (args.flag('jsonl')) {
      if (others.length > 0)
        throw failure(cliErrors.CLI_USAGE, {
          problem: '--jsonl and --with do not go together',
          help: 'omit one of them; --json prints a merged list',
        });
      await withBroker(run, async (ask) => {
        const max = args.count('limit') ?? Number.POSITIVE_INFINITY;
        let cursor: string | null = '*';
        for (let shown = 0; cursor !== null && shown < max; ) {
          parameters.set('cursor', cursor);
          parameters.set('limit', String(Math.min(100, max - shown)));
          const part = (await ask(`/search?${parameters}`)) as import('../../broker/index.ts').SearchAnswer;
          for (const hit of part.hits) await output.data(terminalSafeJson(hit));
          shown += part.hits.length;
          cursor = part.cursor;
        }
      });
      return;
    }
    const answer =
      others.length === 0
        ? ((await askBroker(run, `/search?${parameters}`)) as Answer)
        : await searchWith(run, others, parameters);
    await output.result(answer, () => answerLines(answer, typed, output));
  },
};
