import { dataOption } from '../data-option.ts';
import type { Verb } from '../verb.ts';

/** `garner broker search`: ask from a terminal. */
export const brokerSearch: Verb = {
  command: 'broker search <query..>',
  describe: 'Search: words, "phrases", AND OR NOT, parentheses, Attribute: value',
  examples: [
    ['broker search window functions', 'both words, best first'],
    ['broker search \'Title: install AND NOT "windows xp"\' --json', 'for programs'],
    ['broker search -- window -glass', 'what begins with a dash stands behind --'],
  ],
  positionals: { query: 'The query' },
  options: {
    data: dataOption,
    limit: { kind: 'count', describe: 'Hits to show: 10, with --jsonl all' },
    sort: {
      kind: 'text',
      describe: 'What comes first: date, size, title or url, each with a - before it for the other way round',
    },
    source: { kind: 'list', describe: 'Only objects of this source, by its id' },
    type: { kind: 'list', describe: 'Only objects of this type' },
    filter: {
      kind: 'list',
      describe: 'Only objects with this value of a facet, as year:2024 or language:en',
    },
    'per-source': { kind: 'count', describe: 'Most hits of one source' },
    copies: { kind: 'flag', describe: 'Show documents with the same bytes each for itself' },
    jsonl: {
      kind: 'flag',
      describe: 'Every hit as a line of JSON, in one list that holds while the index changes',
    },
    exact: { kind: 'flag', describe: 'Answer this query only: no word is corrected or made optional' },
    offset: { kind: 'count', default: 0, describe: 'Hits to pass over' },
  },
  handler: async (run) => {
    const { askBroker, withBroker } = await import('../ask-broker.ts');
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../errors.ts');
    const { terminalSafe, terminalSafeJson } = await import('../output.ts');
    const { count } = await import('../wording.ts');
    type Answer = import('../../broker/index.ts').SearchAnswer;
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
      ...(args.flag('copies') ? {} : { fold: '1' }),
      ...(args.text('sort') === undefined ? {} : { sort: args.required('sort') }),
      ...(args.count('per-source') === undefined ? {} : { 'per-source': String(args.count('per-source')) }),
      ...(args.flag('exact') ? { exact: '1' } : {}),
    });
    for (const name of ['source', 'type', 'filter'])
      for (const value of args.list(name)) parameters.append(name, value);
    if (args.flag('jsonl')) {
      await withBroker(run, async (ask) => {
        const most = args.text('limit') === undefined ? Number.POSITIVE_INFINITY : (args.count('limit') ?? 0);
        parameters.delete('offset');
        let cursor: string | null = '*';
        for (let shown = 0; cursor !== null && shown < most; ) {
          parameters.set('cursor', cursor);
          parameters.set('limit', String(Math.min(100, most - shown)));
          const part = (await ask(`/search?${parameters}`)) as Answer;
          for (const hit of part.hits) await output.data(terminalSafeJson(hit));
          shown += part.hits.length;
          cursor = part.cursor;
        }
      });
      return;
    }
    const answer = (await askBroker(run, `/search?${parameters}`)) as Answer;
    await output.result(answer, () => {
      const head = `${count(answer.total, 'result')} in ${answer.tookMs} ms${answer.relaxed ? ' (none has every word)' : ''}`;
      const meant =
        answer.corrected !== null
          ? [
              `nothing has ${terminalSafe(q)}; these are results for ${terminalSafe(answer.corrected)} (--exact refuses that)`,
            ]
          : answer.suggestion !== null
            ? [`did you mean ${terminalSafe(answer.suggestion)}?`]
            : [];
      const notes = answer.notes.map((note) => `  ${terminalSafe(note)}`);
      const hits = answer.hits.map(({ title, url, snippet, matches, alsoTotal, shown }) => {
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
        const also =
          alsoTotal === 0 ? '' : ` (and at ${count(alsoTotal, 'other address', 'other addresses')})`;
        return `\n${output.style('cyan', terminalSafe(title))}\n  ${output.style('dim', terminalSafe(url))}${also}\n  ${parts.join('')}${shown.map(({ label, value }) => `\n  ${terminalSafe(label)}: ${terminalSafe(value)}`).join('')}`;
      });
      return [head, ...meant, ...notes, ...hits].join('\n');
    });
  },
};
