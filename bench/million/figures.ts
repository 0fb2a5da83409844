import { type Goal, meets } from '../harness/results.ts';
import type { JudgedGoal, Times } from '../index/figures.ts';

/** The result of the process that fills a Broker. */
export interface Filled {
  readonly objects: number;
  /** Until everything was searchable; synthesising the objects is part of it. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak of resident memory, and of the part of it that is not mapped from files. */
  readonly fillPeakBytes: number;
  readonly fillOwnBytes: number;
  /** UTF-8 bytes of the values that the index holds. */
  readonly textBytes: number;
  readonly coinedWords: number;
  readonly storeBytes: number;
  readonly indexBytes: number;
}

/** The result of the process that serves it under load. */
export interface Served {
  /** From opening to the first answer, modules loaded. */
  readonly openMs: number;
  /** Peaks of memory, as while it was filled. */
  readonly servePeakBytes: number;
  readonly serveOwnBytes: number;
  /** From the due time of a query to its answer, while nothing arrives and while objects arrive. */
  readonly quiet: Times;
  readonly busy: Times;
  /** Objects that arrived in a second, and the time by which the index was behind the store at the end. */
  readonly arrived: number;
  readonly behindMs: number;
}

/** One point of the curve. */
export interface MillionRow extends Filled, Served {
  /** From the start of `garner broker serve` to the first answer over HTTP. */
  readonly coldMs: number;
}

/** The goals of the largest row; growth is judged against the row before it. */
export function millionGoals(rows: readonly MillionRow[]): JudgedGoal[] {
  const [last, before] = [rows.at(-1), rows.at(-2)];
  if (last === undefined) return [];
  const goals: JudgedGoal[] = [];
  const judge = (what: string, unit: string, value: number, goal: Goal) =>
    goals.push({ what, unit, value, goal, met: meets(value, goal) });
  const memory = (what: string, bytes: number) => judge(what, 'MiB', bytes / 2 ** 20, { atMost: 1024 });
  memory('own memory while it is filled, peak', last.fillOwnBytes);
  memory('the same with the files that LevelDB maps', last.fillPeakBytes);
  memory('own memory while it serves under load, peak', last.serveOwnBytes);
  memory('the same with the files that LevelDB maps', last.servePeakBytes);
  judge('started to the first answer', 'ms', last.coldMs, { atMost: 2000 });
  judge('p95 while objects arrive', 'ms', last.busy.p95, { atMost: 50 });
  if (before !== undefined) {
    const perObject = ({ indexBytes, objects }: MillionRow) => indexBytes / objects;
    const growth = perObject(last) / perObject(before);
    judge('index per object against ten times fewer', 'times', growth, { atMost: 1.1 });
  }
  return goals;
}
