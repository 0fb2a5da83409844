import { type Goal, meets } from '../harness/results.ts';
import type { IndexRow, JudgedGoal } from './figures.ts';

/** The rows of Garner's own engine, with and without positions. */
export const garnerEngine = 'garner';
export const garnerWithoutPositions = 'garner, no positions';

/** The row of Garner's Glimpse engine at a size, and those of Debian's programs. */
export const garnerGlimpse = (size: string): string => `garner glimpse, ${size}`;
export const debianGlimpse = (size: string): string => `glimpse, ${size}`;
export const debianServer = 'glimpseserver, tiny';

/** The goals of Garner's engine, judged by its rows and by the row of FTS5 in the same run. */
export function judgedGoals(rows: readonly IndexRow[]): JudgedGoal[] {
  const row = (engine: string) => rows.find((one) => one.engine === engine);
  const [garner, bare, fts5] = [row(garnerEngine), row(garnerWithoutPositions), row('fts5')];
  const judged: JudgedGoal[] = [];
  const judge = (what: string, unit: string, value: number | undefined, goal: Goal) => {
    if (value !== undefined) judged.push({ what, unit, value, goal, met: meets(value, goal) });
  };
  judge('index with positions, of the text', '%', garner?.indexPart, { atMost: 35 });
  judge('index without positions, of the text', '%', bare?.indexPart, { atMost: 8 });
  const faster = (figure: 'buildSeconds' | 'buildCpuSeconds') =>
    garner && fts5 && fts5[figure] / garner[figure];
  judge('speed of building against FTS5', 'times', faster('buildSeconds'), { atLeast: 0.5 });
  judge('the same by CPU of all threads', 'times', faster('buildCpuSeconds'), { atLeast: 0.5 });
  judge('OR, p50', 'ms', garner?.queries.or?.p50, { atMost: 0.3 });
  judge('OR, p95', 'ms', garner?.queries.or?.p95, { atMost: 6 });
  judge('phrase, p50', 'ms', garner?.queries.phrase?.p50, { atMost: 0.6 });
  judge('update of one document', 'ms', garner?.updateMs, { atMost: 0.5 });
  judge('reopened to the first answer', 'ms', garner?.reopenMs, { atMost: 20 });
  const tiny = row(garnerGlimpse('tiny'));
  judge('tiny Glimpse index, of the text', '%', tiny?.indexPart, { atMost: 3 });
  const against = (other: IndexRow | undefined, less = 0) =>
    tiny?.oneError && other?.oneError && (other.oneError.p50 - less) / tiny.oneError.p50;
  const [glimpse, server] = [row(debianGlimpse('tiny')), row(debianServer)];
  judge("one error, p50, against Debian's glimpse", 'times', against(glimpse), { atLeast: 10 });
  judge('the same without the start of its process', 'times', against(glimpse, glimpse?.processMs), {
    atLeast: 10,
  });
  judge('one error, p50, against glimpseserver', 'times', against(server), { atLeast: 3 });
  judge('the same without the start of its client', 'times', against(server, server?.processMs), {
    atLeast: 3,
  });
  return judged;
}
