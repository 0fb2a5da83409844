import { type Spread, spreadOf } from './statistics.ts';

/** The goal of a figure. */
export type Goal = { readonly below: number } | { readonly atMost: number } | { readonly atLeast: number };

export type Unit =
  | 'pages/s'
  | 'objects/s'
  | 'queries/s'
  | 'requests/s'
  | 's'
  | 'ms'
  | 'µs'
  | 'B'
  | 'kB'
  | 'MB'
  | 'MiB'
  | 'MB/s'
  | '%'
  | 'points'
  | 'of 1'
  | 'times'
  | 'pages'
  | 'objects'
  | 'rounds'
  | 'frames'
  | 'Brokers'
  | 'requests';

/** One figure of a benchmark. */
export interface Figure {
  readonly section: string;
  readonly what: string;
  readonly unit: Unit;
  readonly goal?: Goal;
}

/** A figure with its measured value. */
export interface Row extends Figure, Spread {
  /** Absent when there is no goal; judged by the median. */
  readonly met?: boolean;
}

/** A figure that was not measured, with the reason. */
export interface Skipped {
  readonly what: string;
  readonly reason: string;
}

export function meets(value: number, goal: Goal): boolean {
  if ('below' in goal) return value < goal.below;
  if ('atMost' in goal) return value <= goal.atMost;
  return value >= goal.atLeast;
}

/** The samples of a benchmark's figures; the table of figures defines the set and its order. */
export class Results<Id extends string> {
  readonly #figures: Readonly<Record<Id, Figure>>;
  readonly #samples = new Map<Id, number[]>();
  readonly #skipped = new Map<Id, string>();

  constructor(figures: Readonly<Record<Id, Figure>>) {
    this.#figures = figures;
  }

  /** Add one sample, in the figure's unit. */
  add(id: Id, value: number): void {
    if (!Number.isFinite(value)) throw new TypeError(`${id} was measured as ${value}`);
    const samples = this.#samples.get(id);
    if (samples === undefined) this.#samples.set(id, [value]);
    else samples.push(value);
  }

  /** Record that figures cannot be measured here. */
  skip(ids: readonly Id[], reason: string): void {
    for (const id of ids) this.#skipped.set(id, reason);
  }

  /**
   * Every measured figure in the table's order. Throws TypeError for a figure that was neither measured nor skipped.
   */
  rows(): Row[] {
    const rows: Row[] = [];
    for (const id of Object.keys(this.#figures) as Id[]) {
      const samples = this.#samples.get(id);
      if (samples === undefined) {
        if (!this.#skipped.has(id)) throw new TypeError(`figure ${id} was neither measured nor skipped`);
        continue;
      }
      const figure = this.#figures[id];
      const spread = spreadOf(samples);
      const met = figure.goal === undefined ? {} : { met: meets(spread.median, figure.goal) };
      rows.push({ ...figure, ...spread, ...met });
    }
    return rows;
  }

  skipped(): Skipped[] {
    return [...this.#skipped].map(([id, reason]) => ({ what: this.#figures[id].what, reason }));
  }
}
