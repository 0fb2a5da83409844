import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

type RankAnswer = import('../../broker/index.ts').RankAnswer;
type TermScore = import('../../broker/index.ts').TermScore;

const figure = (value: number) => value.toFixed(3).padStart(8);

function termLine(
  { field, term, objects, weight, inverseFrequency, impact, score, group }: TermScore,
  safe: (text: string) => string,
  typed: string | undefined,
): string {
  const where = field === 'all' ? '' : ` in ${field}`;
  const found = group?.found ?? [];
  const by = found.length === 0 ? '' : ` (${safe(found.join(', '))})`;
  const name = typed === undefined ? term : `${typed}, as typed`;
  return `${figure(score)}  ${safe(name)}${by}${where}: share of the query ${weight.toFixed(3)} x rarity ${inverseFrequency.toFixed(2)} (in ${objects} objects) x weight in this object ${impact.toFixed(2)}`;
}

/** The ranking signals beside the text, one line for each. */
function signalLines(signals: RankAnswer['signals']): readonly string[] {
  if (signals === null) return [];
  const { modifiedAt, freshness, linkingHosts, popularity } = signals;
  const date = new Date((modifiedAt ?? 0) * 1000).toISOString().slice(0, 10);
  return [
    ...(modifiedAt === null ? [] : [`${figure(freshness)}  its date, ${date}`]),
    ...(linkingHosts === 0 ? [] : [`${figure(popularity)}  links to it from ${linkingHosts} other hosts`]),
  ];
}

const typedLines = {
  title: 'its title is the query',
  'title-forms': 'its title is the query in other forms of its words',
  'title-part': 'a part of its title is the query',
  'file-name': 'the name of its file is the query',
  heading: 'one of its headings is the query',
  phrase: 'the words of the query follow each other in it',
  signs: 'it has the names of the query with their signs',
} as const;

/** `garner broker why`: the parts of an object's score. */
export const brokerWhy: Verb = {
  command: 'broker why <query> <oid>',
  describe: 'Explain the rank of an object in the results of a query',
  examples: [
    [
      "broker why 'window functions' OID",
      'each part of the score; garner broker search --json shows the OIDs',
    ],
  ],
  positionals: { query: 'The query, as one argument', oid: 'Object id' },
  options: { data: dataOption },
  handler: async (run) => {
    const { askBroker } = await import('./ask-broker.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { typedWordOf } = await import('../../query/index.ts');
    const { args, output } = run;
    const parameters = new URLSearchParams({ q: args.required('query'), oid: args.required('oid') });
    const answer = (await askBroker(run, `/why?${parameters}`)) as RankAnswer;
    await output.result(answer, ({ url, understood, relaxed, rank, total, score, ...parts }) => {
      const line = (term: TermScore) => termLine(term, terminalSafe, typedWordOf(term.term));
      const nowhere = parts.terms.filter((term) => term.impact === 0 && term.field === 'all');
      return [
        terminalSafe(url),
        `  ${terminalSafe(understood)}${relaxed ? ', any of the words (no object has them all)' : ''}`,
        rank === undefined
          ? `  does not match; ${total} objects do`
          : `  rank ${rank} of ${total}, score ${score.toFixed(3)}:`,
        ...parts.terms.filter(({ impact }) => impact > 0).map(line),
        ...(parts.nearness === 0
          ? []
          : [`${figure(parts.nearness)}  its words are together or near each other`]),
        ...(parts.feedback.length === 0
          ? []
          : ['          words of the best results, searched as well:', ...parts.feedback.map(line)]),
        ...(parts.likeness === 0 ? [] : [`${figure(parts.likeness)}  similarity to other best results`]),
        ...signalLines(parts.signals),
        ...(parts.typed === null ? [] : [`${figure(parts.typed.score)}  ${typedLines[parts.typed.place]}`]),
        ...(nowhere.length === 0
          ? []
          : [`          not in it: ${nowhere.map(({ term }) => terminalSafe(term)).join(', ')}`]),
      ].join('\n');
    });
  },
};
