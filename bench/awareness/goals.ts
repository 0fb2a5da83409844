import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProbe } from '../harness/child.ts';
import { type Figure, Results, type Row } from '../harness/results.ts';
import { median, quantile } from '../harness/statistics.ts';
import { type AwarenessRow, coldSketch } from './grid.ts';
import type { AwarenessPair, RunCost } from './pair.ts';
import type { WriteMeasured } from './write.ts';

/** The number of objects that the goals are set for. */
const goalSize = 1_000_000;

const warmed = [10, 100, 1000, 10_000] as const;
type Warmed = (typeof warmed)[number];
const maxBytes: Readonly<Record<Warmed, number>> = { 10: 700, 100: 4900, 1000: 46_000, 10000: 455_000 };
const maxCpu: Readonly<Partial<Record<Warmed, number>>> = { 10: 1, 1000: 25, 10000: 250 };
/** Enough runs for compiled code and a meaningful median. */
const warmRuns: Readonly<Record<Warmed, number>> = { 10: 41, 100: 21, 1000: 11, 10000: 5 };

const chilled = [100, 1000] as const;
type Chilled = (typeof chilled)[number];
const coldRuns = 20;

const appended = [1000, 10_000] as const;
type Appended = (typeof appended)[number];
const maxAppended: Readonly<Record<Appended, number>> = { 1000: 32_200, 10000: 320_200 };

type GoalFigure =
  | `same.${'first' | 'firstBare' | 'later' | 'laterBare' | 'messages'}`
  | `warm.${Warmed}.${'bytes' | 'rounds' | 'source' | 'client'}`
  | `cold.${Chilled}.${'bytes' | 'rounds'}`
  | `recent.${Appended}`
  | 'write.total'
  | 'write.part'
  | 'restart'
  | 'peak';

const number = (value: number) => value.toLocaleString('en-US');

/** The figures; only the size that the goals are set for has goals. */
function figures(n: number): Record<GoalFigure, Figure> {
  const all: [GoalFigure, Figure][] = [];
  const nothing = 'Nothing has changed';
  all.push(
    ['same.first', { section: nothing, what: 'first exchange of a session', unit: 'B' }],
    ['same.firstBare', { section: nothing, what: 'the same without WebSocket framing', unit: 'B' }],
    ['same.later', { section: nothing, what: 'later exchanges', unit: 'B' }],
    [
      'same.laterBare',
      { section: nothing, what: 'the same without WebSocket framing', unit: 'B', goal: { atMost: 40 } },
    ],
    [
      'same.messages',
      { section: nothing, what: 'messages of a later one, before frames and compression', unit: 'B' },
    ],
  );
  const warm = 'Sketch, scattered inserts, the number of differences known';
  for (const u of warmed) {
    const what = `U = ${number(u)}`;
    const cpu = maxCpu[u];
    const goal = cpu === undefined ? {} : { goal: { atMost: cpu } };
    all.push(
      [
        `warm.${u}.bytes`,
        { section: warm, what: `${what}, bytes`, unit: 'B', goal: { atMost: maxBytes[u] } },
      ],
      [`warm.${u}.rounds`, { section: warm, what: `${what}, rounds`, unit: 'rounds', goal: { atMost: 1 } }],
      [`warm.${u}.source`, { section: warm, what: `${what}, CPU of the store`, unit: 'ms', ...goal }],
      [`warm.${u}.client`, { section: warm, what: `${what}, CPU of the client`, unit: 'ms', ...goal }],
    );
  }
  const cold = 'Sketch, scattered inserts, nothing known';
  for (const u of chilled)
    all.push(
      [`cold.${u}.bytes`, { section: cold, what: `U = ${number(u)}, bytes`, unit: 'B' }],
      [
        `cold.${u}.rounds`,
        { section: cold, what: `U = ${number(u)}, rounds, 95th of 100`, unit: 'rounds', goal: { atMost: 2 } },
      ],
    );
  for (const u of appended)
    all.push([
      `recent.${u}`,
      {
        ...{ section: 'Appended objects, the engine’s choice', what: `U = ${number(u)}, bytes`, unit: 'B' },
        goal: { atMost: maxAppended[u] },
      },
    ]);
  const keeping = 'Maintaining the summaries';
  all.push(
    ['write.total', { section: keeping, what: 'CPU of putting an object, in total', unit: 'µs' }],
    [
      'write.part',
      { section: keeping, what: 'the summaries’ part, of LevelDB’s part', unit: '%', goal: { atMost: 25 } },
    ],
    [
      'restart',
      {
        ...{ section: keeping, what: 'killed, opened, first request for a sketch answered', unit: 's' },
        goal: { atMost: 1 },
      },
    ],
    ['peak', { section: keeping, what: 'peak of either process in these runs', unit: 'MiB' }],
  );
  const judged = all.map(([id, { goal, ...figure }]): [GoalFigure, Figure] => [
    id,
    goal === undefined || n !== goalSize ? figure : { ...figure, goal },
  ]);
  return Object.fromEntries(judged) as Record<GoalFigure, Figure>;
}

/** Bytes of a run without the store's signatures. */
const sentBytes = ({ bytesUp, bytesDown, signatureBytes }: RunCost | AwarenessRow) =>
  bytesUp + bytesDown - signatureBytes;

/** Without the headers of WebSocket frames, which are all small enough for the short header. */
const bareBytes = ({ bytesUp, bytesDown, framesUp, framesDown }: RunCost) =>
  bytesUp - 6 * framesUp + bytesDown - 2 * framesDown;

export interface GoalOptions {
  readonly n: number;
  readonly rows: readonly AwarenessRow[];
  readonly folder: string;
  readonly onStep: (step: string) => void;
  readonly signal: AbortSignal;
}

/** Measure the figures of the goals, at the end of a grid. */
export async function goalsOf(pair: AwarenessPair, options: GoalOptions): Promise<Row[]> {
  const { n, rows, folder, onStep, signal } = options;
  const results = new Results(figures(n));
  let peak = 0;
  const changed = async (u: number, warm: boolean) => {
    signal.throwIfAborted();
    const cost = await pair.changed('scattered', u, { scheme: 'sketch', warm, signal });
    peak = Math.max(peak, cost.peakBytes);
    return cost;
  };
  onStep(`N=${n}: nothing has changed`);
  for (let session = 0; session < 3; session++) {
    await pair.newSession();
    const first = await pair.run({ signal });
    results.add('same.first', first.bytesUp + first.bytesDown);
    results.add('same.firstBare', bareBytes(first));
    for (let later = 0; later < 5; later++) {
      const cost = await pair.run({ signal });
      results.add('same.later', cost.bytesUp + cost.bytesDown);
      results.add('same.laterBare', bareBytes(cost));
      results.add('same.messages', cost.messageBytes);
    }
  }
  for (const u of warmed) {
    onStep(`N=${n}: sketch, U=${u}, ${warmRuns[u]} times`);
    const costs: RunCost[] = [];
    for (let run = 0; run < warmRuns[u]; run++) costs.push(await changed(u, true));
    for (const cost of costs) {
      results.add(`warm.${u}.bytes`, sentBytes(cost));
      results.add(`warm.${u}.rounds`, cost.rounds);
      results.add(`warm.${u}.source`, cost.sourceCpuSeconds * 1000);
      results.add(`warm.${u}.client`, cost.clientCpuSeconds * 1000);
    }
  }
  for (const u of chilled) {
    onStep(`N=${n}: ${coldSketch}, U=${u}, ${coldRuns} times`);
    const costs: RunCost[] = [];
    for (let run = 0; run < coldRuns; run++) costs.push(await changed(u, false));
    results.add(`cold.${u}.bytes`, median(costs.map(sentBytes)));
    results.add(
      `cold.${u}.rounds`,
      quantile(
        costs.map(({ rounds }) => rounds),
        0.95,
      ),
    );
  }
  for (const u of appended) {
    const row = rows.find((one) => one.u === u && one.kind === 'recent' && one.chosen);
    if (row === undefined) results.skip([`recent.${u}`], 'no such row');
    else results.add(`recent.${u}`, sentBytes(row));
  }
  onStep(`N=${n}: killed and started again`);
  // A start must replay the journal entries that the sketch does not include yet.
  await pair.change('scattered', Math.min(50_000, n / 4));
  await pair.catchUp();
  await pair.change('scattered', 1);
  results.add('restart', await pair.restart(signal));
  results.add('peak', peak / 2 ** 20);
  onStep('cost that summaries add to a write');
  const stores = join(folder, 'writes');
  await mkdir(stores);
  const { objects, total, database, summaries } = await runProbe<WriteMeasured>(
    'awareness-write',
    [stores],
    folder,
  );
  results.add('write.total', (total / objects) * 1e6);
  results.add('write.part', (100 * summaries) / database);
  return results.rows();
}
