import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker statistics`: the objects of a Broker by source, type, language and age. */
export const brokerStatistics: Verb = {
  command: 'broker statistics',
  describe: 'Count the objects of a Broker by source, type, language and age, and show its query times',
  examples: [['broker statistics', 'query figures count from the start of the server']],
  options: { data: dataOption },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count, number, size } = await import('../text/number-formats.ts');
    const { formatDuration } = await import('../../kernel/index.ts');
    type Statistics = import('../../broker/index.ts').Statistics;
    const statistics = await administer<Statistics>(run, { path: '/control/statistics' });
    await run.output.result(statistics, (figures) => {
      const { objects, summaryBytes, blocked, bySource, byType, byLanguage, byAge, sampled, index, queries } =
        figures;
      const row = (name: string, value: number) => `    ${terminalSafe(name).padEnd(24)} ${number(value)}`;
      const of = sampled < objects ? ` (of a sample of ${number(sampled)} objects)` : '';
      return [
        `  has         ${count(objects, 'object')}, ${size(summaryBytes)} of summaries, ${number(blocked)} blocked`,
        `  index       ${index.engine}, ${count(index.objects, 'object')}, ${number(index.behind)} changes behind`,
        `  queries     ${number(queries.answered)} answered, ${number(queries.withoutResult)} without result, ${queries.meanMs} ms on average, ${queries.maxMs} ms maximum`,
        '  by source',
        ...bySource.map((one) => row(one.name, one.count)),
        '  by type',
        ...byType.map((one) => row(one.value, one.count)),
        '  by language',
        ...byLanguage.map((one) => row(one.value, one.count)),
        `  by age of the summary${of}`,
        ...byAge.map((one) =>
          row(one.upTo === null ? 'older' : `up to ${formatDuration(one.upTo)}`, one.count),
        ),
      ].join('\n');
    });
  },
};
