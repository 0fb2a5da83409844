import { dataOption } from '../data-option.ts';
import type { Verb } from '../verb.ts';

/** `garner broker search`: ask from a terminal. */
export const brokerSearch: Verb = {
  command: 'broker search <query..>',
  describe: 'Search: words, "phrases", AND OR NOT, parentheses, Attribute: value',
  examples: [
    ['broker search window functions', 'both words, best first'],
    ['broker search \'Title: install AND NOT "windows xp"\' --json', 'for programs'],
    ['broker search window functions --with https://docs.example.org', 'one ranked list of two Brokers'],
    ['broker search -- window -glass', 'what begins with a dash stands behind --'],
  ],
  positionals: { query: 'The query' },
  options: {
    data: dataOption,
    limit: { kind: 'count', default: 10, describe: 'Hits to show' },
    offset: { kind: 'count', default: 0, describe: 'Hits to pass over' },
    with: { kind: 'list', describe: 'Search the Broker at this address too, as one list; may be repeated' },
  },
  handler: async (run) => {
    const { askBroker } = await import('../ask-broker.ts');
    const { searchWith } = await import('../search-with.ts');
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../errors.ts');
    const { terminalSafe } = await import('../output.ts');
    const { count } = await import('../wording.ts');
    type Answer =
      | import('../../broker/index.ts').SearchAnswer
      | import('../../broker/index.ts').TogetherAnswer;
    const { args, output } = run;
    const q = args.list('query').join(' ');
    if (q.trim() === '')
      throw failure(cliErrors.CLI_USAGE, {
        problem: 'the query is empty',
        help: 'garner broker search WORD, or garner broker search -- -WORD for one that begins with a dash',
      });
    const parameters = new URLSearchParams({
      q,
      limit: String(args.count('limit') ?? 10),
      offset: String(args.count('offset') ?? 0),
    });
    const others = args.list('with');
    const answer =
      others.length === 0
        ? ((await askBroker(run, `/search?${parameters}`)) as Answer)
        : await searchWith(run, others, parameters);
    await output.result(answer, () => {
      const scanned =
        'scanned' in answer && answer.scanned !== undefined
          ? `, ${answer.scanned.read} of ${answer.scanned.of} objects read`
          : '';
      const head = `${count(answer.total, 'result')} in ${answer.tookMs} ms${answer.relaxed ? ' (none has every word)' : ''}${scanned}`;
      const notes = answer.notes.map((note) => `  ${terminalSafe(note)}`);
      const hits = answer.hits.map(({ title, url, snippet, matches }) => {
        const parts: string[] = [];
        let at = 0;
        for (const [start, end] of matches) {
          parts.push(
            terminalSafe(snippet.slice(at, start)),
            output.style('bold', terminalSafe(snippet.slice(start, end))),
          );
          at = end;
        }
        parts.push(terminalSafe(snippet.slice(at)));
        return `\n${output.style('cyan', terminalSafe(title))}\n  ${output.style('dim', terminalSafe(url))}\n  ${parts.join('')}`;
      });
      const failed = 'brokers' in answer ? answer.brokers.filter(({ error }) => error !== null) : [];
      const left = failed.map(
        ({ name, error }) => `  without ${terminalSafe(name)}: ${terminalSafe(error ?? '')}`,
      );
      return [head, ...left, ...notes, ...hits].join('\n');
    });
  },
};
