import { defineErrors } from '../../kernel/index.ts';

export const viewErrors = defineErrors({
  VIEW_UNKNOWN: {
    message: ({ view }: { view: string }) => `there is no view ${view} here`,
    hint: () => 'garner broker view list shows the views that there are',
    exit: 2,
    retry: 'never',
    status: 404,
  },
  VIEW_NAME: {
    message: ({ view }: { view: string }) => `${JSON.stringify(view)} is no name for a view`,
    hint: () => 'use 1 to 64 small letters, digits and hyphens, such as   database-reports',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_EXISTS: {
    message: ({ view }: { view: string }) => `there is a view ${view} already, with another definition`,
    hint: () =>
      'take another name, or remove that view first: to its readers a new definition is another view',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_QUERY: {
    message: ({ view, problem }: { view: string; problem: string }) =>
      `the query of view ${view} cannot be used: ${problem}`,
    hint: () => 'a search takes what it can of a query, a view means what is written: correct it',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_UNINDEXED: {
    message: ({ view, max }: { view: string; max: number }) =>
      `the query of view ${view} requires no word, and ${max} views like that are the most`,
    hint: () => 'every changed object is asked for each of these: add a word that its objects must have',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_TOO_MANY: {
    message: ({ max }: { max: number }) => `there are ${max} views, which is the most`,
    hint: () => 'remove views that nobody reads, or run a second Broker for others',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  VIEW_IN_USE: {
    message: ({ view, by }: { view: string; by: string }) => `view ${view} is used by view ${by}`,
    hint: () => 'remove the views that are defined by it first',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  VIEW_SINCE: {
    message: ({ since }: { since: string }) => `${JSON.stringify(since)} is no place in the log of a view`,
    hint: () => 'send the since of the last answer, or none to be told everything',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  VIEW_WEBHOOK: {
    message: ({ url, problem }: { url: string; problem: string }) => `${url} cannot be a webhook: ${problem}`,
    hint: () =>
      'name an http: or https: address that may be reached from here; broker.webhook-hosts lists private ones',
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
