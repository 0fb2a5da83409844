import { failure } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';

/** Steps that one query's expressions may take to build their automata: about a second. */
const querySteps = 16_000_000;

/**
 * The budget of all regular expressions of one query for building their automata. An ordinary expression
 * builds its few states once; one whose states are always new pays for nearly every character.
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
