import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker searches`: the most frequent queries, with and without hits. */
export const brokerSearches: Verb = {
  command: 'broker searches',
  describe: 'List the queries that were searched, most frequent first; needs broker.search-log: counts',
  examples: [['broker searches --without-hits', 'queries that found nothing']],
  options: {
    data: dataOption,
    'without-hits': { kind: 'flag', describe: 'Only queries that found nothing' },
    limit: { kind: 'count', default: 50, describe: 'Maximum number of queries to show' },
  },
  handler: async (run) => {
    const { askBroker } = await import('./ask-broker.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    type Report = import('../../broker/index.ts').SearchReport;
    const { args, output } = run;
    const noHits = args.flag('without-hits');
    const parameters = new URLSearchParams({ limit: String(args.count('limit') ?? 50) });
    if (noHits) parameters.set('no-hits', '1');
    const report = (await askBroker(run, `/control/searches?${parameters}`)) as Report;
    await output.result(report, ({ searches, withoutHits, queries }) =>
      [
        `  ${count(searches, 'search', 'searches')}, ${withoutHits} without a hit`,
        ...queries.map(
          (row) =>
            `  ${String(noHits ? row.withoutHits : row.count).padStart(6)}  ${terminalSafe(row.query)}  (last on ${row.lastDay})`,
        ),
      ].join('\n'),
    );
  },
};
