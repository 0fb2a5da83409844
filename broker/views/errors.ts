import { defineErrors } from '../../kernel/index.ts';

export const viewErrors = defineErrors({
  VIEW_UNKNOWN: {
    message: ({ view }: { view: string }) => `there is no view ${view} here`,
    hint: () => 'garner broker view list shows all views',
    exit: 2,
    retry: 'never',
    status: 404,
  },
  VIEW_NAME: {
    message: ({ view }: { view: string }) => `${JSON.stringify(view)} is not a valid name for a view`,
    hint: () => 'use 1 to 64 small letters, digits and hyphens, for example database-reports',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_EXISTS: {
    message: ({ view }: { view: string }) => `a view ${view} exists already, with another definition`,
    hint: () => 'use another name, or remove that view first: readers of a view rely on its definition',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_QUERY: {
    message: ({ view, problem }: { view: string; problem: string }) =>
      `the query of view ${view} cannot be used: ${problem}`,
    hint: () => 'correct the query: unlike a search, a view does not ignore parts of its query',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_UNINDEXED: {
    message: ({ view, max }: { view: string; max: number }) =>
      `the query of view ${view} requires no word, and at most ${max} such views are allowed`,
    hint: () => 'each of them is checked for every changed object: add a word that its objects must have',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_TOO_MANY: {
    message: ({ max }: { max: number }) => `there are already ${max} views, which is the limit`,
    hint: () => 'remove views that nobody reads, or run a second Broker for others',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  VIEW_IN_USE: {
    message: ({ view, by }: { view: string; by: string }) => `view ${view} is used by view ${by}`,
    hint: () => 'remove the views that use it first',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_SINCE: {
    message: ({ since }: { since: string }) => `${JSON.stringify(since)} is not a place in the log of a view`,
    hint: () => 'send the since of the last answer, or none to get everything',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_WEBHOOK: {
    message: ({ url, problem }: { url: string; problem: string }) => `${url} cannot be a webhook: ${problem}`,
    hint: () => 'use an http: or https: address; private hosts must be listed in broker.webhook-hosts',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_NO_WEBHOOK: {
    message: ({ webhook }: { webhook: string }) => `there is no webhook ${webhook} here`,
    hint: () => 'garner broker view show NAME lists the webhooks of a view',
    exit: 2,
    retry: 'never',
    status: 404,
  },
});
