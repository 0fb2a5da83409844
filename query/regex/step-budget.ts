import { failure } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';

/** Steps that one query's expressions may take to build their automata: about a second. */
const querySteps = 16_000_000;

/**
 * The budget that all regular expressions of one query share for building their automata, in all texts
 * together. An ordinary expression builds its few states once; an expression whose states are always new pays
 * for nearly every character.
 */
export class StepBudget {
  readonly #max: number;
  #spent = 0;

  constructor(max: number = querySteps) {
    this.#max = max;
  }

  /** Throws QUERY_COSTLY when the budget is exceeded. */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.#max) throw failure(queryErrors.QUERY_COSTLY, {});
  }
}
