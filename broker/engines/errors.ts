import { defineErrors } from '../../kernel/index.ts';

export const engineErrors = defineErrors({
  ENGINE_QUERY_TOO_WIDE: {
    message: ({ part, limit }: { part: string; limit: number }) =>
      `the index alone cannot answer ${part}, and more than ${limit} objects would have to be read for it`,
    hint: ({ part }: { part: string; limit: number }) =>
      `Add a word or another attribute to the query, so that fewer objects remain to be read for ${part}.`,
    exit: 1,
    retry: 'never',
    status: 400,
  },
  ENGINE_SORT_TOO_WIDE: {
    message: ({ by, matches, limit }: { by: string; matches: number; limit: number }) =>
      `${matches} objects match, and at most ${limit} are sorted by ${by}`,
    hint: () => 'Add a word or a filter, or sort by date, size or relevance: those have no limit.',
    exit: 1,
    retry: 'never',
    status: 400,
  },
  ENGINE_DAMAGED: {
    message: ({ what }: { what: string }) => `the index cannot be read: ${what}`,
    hint: () =>
      'a serving Broker rebuilds it from its object store by itself; if this error returns, check the disk',
    exit: 1,
    retry: 'never',
  },
  ENGINE_OBJECT: {
    message: ({ reason }: { reason: string }) =>
      `an object that the query needs cannot be read from the store: ${reason}`,
    hint: () => 'Run `garner broker check` to find the fault in the store, and add --repair to mend it.',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  ENGINE_ANEW: {
    message: ({ lsn, after }: { lsn: number; after: number }) =>
      `the index was restarted: it is complete up to ${lsn}, and these changes follow ${after}`,
    hint: () => 'You need not do anything: the index is refilled from the object store.',
    exit: 1,
    retry: 'later',
  },
  ENGINE_CLOSED: {
    message: () => 'the search engine is closed',
    hint: () => 'The server is stopping; try again when it has restarted.',
    exit: 1,
    retry: 'later',
    status: 503,
  },
});
