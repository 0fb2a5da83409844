/** A feature, in one sentence that a user understands, and what shows it. */
export type Feature = Shown | Measured | Missing;

/** `test` is the exact title of a test, with what its template fills in. */
export interface Shown {
  readonly feature: string;
  readonly test: string;
}

/** A figure of docs/performance.md: `row` is the first cell of its row, `table` the heading above, where rows repeat. */
export interface Measured {
  readonly feature: string;
  readonly bench: string;
  readonly table?: string;
  readonly row: string;
}

/** `missing` says in one sentence why no test shows the feature. */
export interface Missing {
  readonly feature: string;
  readonly missing: string;
}

/** The features of one area, by id: `area.name`. */
export type Area = Readonly<Record<string, Feature>>;

/** All features in their order; a list, so that an id that two areas use is noticed. */
export type Register = readonly (readonly [id: string, feature: Feature])[];
