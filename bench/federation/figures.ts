import type { Figure } from '../harness/results.ts';

export const collections = ['cranfield', 'cisi'] as const;
export const cuts = ['clustered', 'random'] as const;
export type Cut = (typeof cuts)[number];

/** The ways to choose, and what they know. */
const whatOf = {
  blind: 'five at random',
  size: 'the five largest',
  counting: 'counted from the summaries, as ReDDE counts',
  cori: 'CORI on the summaries',
  chosen: "Garner's choice by the summaries",
  bound: 'bound of ReDDE: knows which hold most of the first hundred',
  boundOfOwn: 'the same bound, where the hundred leave out documentation',
  boundOfTen: 'bound: knows which hold most of the first ten',
  oracle: 'oracle: knows which hold most relevant documents',
} as const;

export const ways = Object.keys(whatOf) as readonly (keyof typeof whatOf)[];

type Collection = (typeof collections)[number];
type Row = 'all' | 'own' | `of ${'bound' | 'own' | 'boundOfOwn'}` | keyof typeof whatOf;
type Of = `${Collection} ${Cut} ${Row}`;

const large = 'Summaries';

const summaries = {
  'summary bytes': { section: large, what: 'largest summary of a Broker', unit: 'B', goal: { atMost: 4096 } },
  'large text': { section: large, what: 'text of a Broker of documentation', unit: 'MB' },
  'large bytes': { section: large, what: 'its summary', unit: 'kB', goal: { atMost: 65.536 } },
  'large share': { section: large, what: 'its summary, of the text', unit: '%', goal: { atMost: 1 } },
  'large seconds': { section: large, what: 'its summary, made', unit: 's' },
  'update sent': {
    ...{ section: large, what: 'sent after 1 % of its objects changed, of the first sending' },
    ...{ unit: '%', goal: { atMost: 5 } },
  },
  'update moved': { section: large, what: 'words that changed then', unit: '%' },
} as const satisfies Readonly<Record<string, Figure>>;

const times = 'Time of a federated query: five Brokers with a delay of 5 to 80 ms each';

const latency = {
  'query p95': { section: times, what: 'a query, 95 %', unit: 'ms' },
  'slowest p95': { section: times, what: 'its slowest Broker, 95 %', unit: 'ms' },
  'query over': { section: times, what: 'the difference of the two', unit: 'ms', goal: { atMost: 20 } },
  'query trips': { section: times, what: 'round trips of a query', unit: 'rounds' },
  'stopped over': {
    ...{ section: times, what: 'beyond the deadline of 1.5 s, where a Broker is stopped (SIGSTOP)' },
    ...{ unit: 'ms', goal: { atMost: 50 } },
  },
} as const satisfies Readonly<Record<string, Figure>>;

export type FigureId = Of | keyof typeof summaries | keyof typeof latency;

const ofCuts = collections.flatMap((name) =>
  cuts.flatMap((cut): (readonly [Of, Figure])[] => {
    const section = `${name}, ${cut}: nDCG@10 of five Brokers, of asking all`;
    const figure = (row: Row, what: string, goal?: Figure['goal']) =>
      [`${name} ${cut} ${row}`, { section, what, unit: '%', ...(goal && { goal }) }] as const;
    const clustered = cut === 'clustered' ? ({ atLeast: 90 } as const) : undefined;
    const random = cut === 'random' ? ({ atLeast: 95 } as const) : undefined;
    return [
      figure('all', 'nDCG@10 of asking all 30'),
      figure('own', 'the twenty of the collection, without documentation'),
      ...ways.map((way) => figure(way, whatOf[way], way === 'chosen' ? clustered : undefined)),
      figure('of own', "Garner's choice, of the twenty without documentation", clustered),
      figure('of bound', "Garner's choice, of the bound of ReDDE", random),
      figure('of boundOfOwn', "Garner's choice, of the bound without documentation", random),
    ];
  }),
);

export const figures = { ...Object.fromEntries(ofCuts), ...summaries, ...latency } as Readonly<
  Record<FigureId, Figure>
>;
