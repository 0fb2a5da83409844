import { defineErrors } from '../kernel/index.ts';

/** Faults of a query that a program made. A text that people type is never rejected. */
export const queryErrors = defineErrors({
  QUERY_REGEX: {
    message: ({ pattern, reason }: { pattern: string; reason: string }) =>
      `the regular expression /${pattern}/ cannot be searched for: ${reason}`,
    hint: () => 'query-language.md of the manual lists what a regular expression may be made of.',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  QUERY_COSTLY: {
    message: () => 'the regular expression takes too long: it keeps too many ways to match open at once',
    hint: () =>
      'Write fewer or smaller repetitions, such as .{1,9} for .*, or add a word to the query, so that fewer objects are read.',
    exit: 2,
    retry: 'never',
    status: 400,
  },
});
