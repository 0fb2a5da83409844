import { type Goal, meets } from '../harness/results.ts';
import type { JudgedGoal, Times } from '../index/figures.ts';

/** What the process that fills a Broker tells. */
export interface Filled {
  readonly objects: number;
  /** Until everything was searchable; making the objects up is part of it. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Resident memory, at the most, and of it what is the process's own and no file's. */
  readonly fillPeakBytes: number;
  readonly fillOwnBytes: number;
  /** UTF-8 bytes of the values that the index holds. */
  readonly textBytes: number;
  readonly coinedWords: number;
  readonly storeBytes: number;
  readonly indexBytes: number;
}

/** What the process that serves it under load tells. */
export interface Served {
  /** From opening to the first answer, modules loaded. */
  readonly openMs: number;
  /** As while it was filled. */
  readonly servePeakBytes: number;
  readonly serveOwnBytes: number;
  /** From when a query was due to its answer, while nothing arrives and while objects arrive. */
  readonly quiet: Times;
  readonly busy: Times;
  /** Objects that arrived in a second, and how long the index was behind the store at the end. */
  readonly arrived: number;
  readonly behindMs: number;
}

/** One point of the curve. */
export interface MillionRow extends Filled, Served {
  /** From the start of `garner broker serve` to the first answer over HTTP. */
  readonly coldMs: number;
}

/** What the largest of the rows is to reach; growth is judged against the row before it. */
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
