import type { FilterSpec } from '../../exchange/index.ts';
import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

interface Status {
  readonly name: string;
  readonly objects: number;
  readonly summaryBytes: number;
  readonly lsn: number;
  /** Absent in the status of older Brokers. */
  readonly duplicateUrls?: number;
  readonly withdrawals?: number;
  readonly engine: {
    readonly name: string;
    readonly lsn: number;
    readonly objects: number;
    readonly languages: Readonly<Record<string, number>>;
  };
  readonly sources: readonly {
    readonly name: string;
    readonly url: string;
    readonly state: string;
    readonly objects: number;
    readonly lastLearnedAt: number | null;
    readonly error: string | null;
    readonly filter: FilterSpec | null;
    readonly passedOver: { readonly own: number; readonly far: number };
  }[];
}

/** Objects in each language, the commonest first; nothing when all are in one. */
function languageLine(languages: Status['engine']['languages'] | undefined): string[] {
  const counts = Object.entries(languages ?? {});
  return counts.length < 2 ? [] : [counts.map(([language, count]) => `${language} ${count}`).join(', ')];
}

/** `garner broker status`: sources, objects, index. */
export const brokerStatusVerb: Verb = {
  command: 'broker status',
  describe: 'Show the objects, the index and the sources of a Broker',
  examples: [['broker status', 'also while it serves']],
  options: { data: dataOption },
  handler: async (run) => {
    const { askBroker } = await import('./ask-broker.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { filterWords } = await import('../config/source-filters.ts');
    const { count, size } = await import('../text/number-formats.ts');
    const status = (await askBroker(run, '/status')) as Status;
    await run.output.result(
      status,
      ({ name, objects, summaryBytes, engine, sources, lsn, duplicateUrls = 0, withdrawals = 0 }) =>
        [
          `  name      ${terminalSafe(name)}`,
          `  has       ${count(objects, 'object')}, ${size(summaryBytes)} of summaries`,
          `  index     ${engine.name}, ${count(engine.objects, 'object')}, ${lsn - engine.lsn} changes behind`,
          ...languageLine(engine.languages).map((text) => `  languages ${terminalSafe(text)}`),
          ...(duplicateUrls === 0
            ? []
            : [
                `  twice     ${count(duplicateUrls, 'URL')} under several Gatherers; ${run.typed('garner broker duplicates')} lists them`,
              ]),
          ...(withdrawals === 0
            ? []
            : [
                `  withdrawn ${count(withdrawals, 'object')} by their publishers; no source brings them back`,
              ]),
          ...sources.map(
            (source) =>
              `  source    ${terminalSafe(source.name)} ${terminalSafe(source.url)}: ${source.state === 'waiting' ? 'waiting for its push' : source.state}, ${count(source.objects, 'object')}` +
              (source.lastLearnedAt === null
                ? ''
                : `, learned ${new Date(source.lastLearnedAt * 1000).toISOString()}`) +
              (source.error === null ? '' : `, ${terminalSafe(source.error)}`) +
              (source.passedOver.own === 0
                ? ''
                : `; ${count(source.passedOver.own, 'object')} left out that came through this Broker itself`) +
              (source.passedOver.far === 0
                ? ''
                : `; ${count(source.passedOver.far, 'object')} left out that came through too many servers`) +
              (source.filter === null ? '' : `; filter: ${terminalSafe(filterWords(source.filter))}`),
          ),
        ].join('\n'),
    );
  },
};
