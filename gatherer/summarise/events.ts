import { defineEvent } from '../../kernel/index.ts';

/** A summary is reduced; one sentence per reason. */
export const summaryReduced = defineEvent<{
  readonly url: string;
  readonly type: string;
  readonly reasons: readonly string[];
}>('garner:gatherer:summary-reduced');
