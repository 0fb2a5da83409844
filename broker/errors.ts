import { defineErrors } from '../kernel/index.ts';

export const brokerErrors = defineErrors({
  BROKER_QUERY: {
    message: ({ field, reason }: { field: string; reason: string }) => `${field} ${reason}`,
    hint: () => 'see /openapi.json for what a search takes',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_CURSOR: {
    message: () => 'the list that this cursor leads through is not kept any more',
    hint: () => 'search again with cursor=*; a list is kept for ten minutes after it was last read',
    exit: 1,
    retry: 'never',
    status: 410,
  },
  BROKER_BUSY: {
    message: () => 'too many links and documents are being looked at now',
    hint: () => 'try again in a few seconds',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  BROKER_NO_TABLE: {
    message: ({ url }: { url: string }) => `${url} is no table that can be shown here`,
    hint: () => 'delimited text (CSV, TSV) and SQLite databases can; open the document itself',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  BROKER_TABLE_UNREAD: {
    message: ({ url, reason }: { url: string; reason: string }) =>
      `${url} cannot be shown as a table: ${reason}`,
    hint: () => 'open the document itself; a place in a private network has to be named in fetch.allow-hosts',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  BROKER_NO_CHECKS: {
    message: () => 'this Broker looks at no links or documents',
    hint: () => 'its operator can set broker.link-checks and broker.tables',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  BROKER_NO_SEARCH_LOG: {
    message: () => 'this Broker counts no searches',
    hint: () =>
      'set broker.search-log to counts and start it again: it counts from then on, without addresses',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  BROKER_TEMPLATE: {
    message: ({ at, problem }: { at: number; problem: string }) => `broker.templates[${at}] ${problem}`,
    hint: () =>
      'write each as {type: Report, show: [Author as By, Keywords]}, or with type "*" for all others',
    exit: 2,
    retry: 'never',
  },
  BROKER_NO_OBJECT: {
    message: ({ oid }: { oid: string }) => `there is no object ${oid} here`,
    hint: () => 'it may have been deleted or have expired; search again',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  BROKER_REMOTE: {
    message: ({ address, why }: { address: string; why: string }) =>
      `${address} does not answer as a Broker: ${why}`,
    hint: () => 'check the address, and that the Broker there is not older than this one',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  BROKER_UNRANKED: {
    message: ({ engine }: { engine: string }) => `the engine ${engine} does not rank, so there is no score`,
    hint: () => 'serve the Broker with --engine flexsearch',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SOURCE: {
    message: ({ source }: { source: string }) => `${source} is not an address to collect from`,
    hint: () =>
      'write it as ws://host:8500 or wss://host, with #view=NAME behind it for a view of a Broker, or as push:ID.KEY for a server that pushes, as garner gatherer status prints it there',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_AWAITS_PUSH: {
    message: ({ source }: { source: string }) => `${source} waits to be pushed to and has no session now`,
    hint: () =>
      'see that the server runs and has this Broker in gatherer.push-to: it opens the session itself',
    exit: 12,
    retry: 'later',
    status: 503,
  },
  BROKER_NOT_DIALLED: {
    message: ({ source }: { source: string }) =>
      `${source} pushes: this Broker knows no address at which it could be asked`,
    hint: () => 'garner broker status and its page tell what the rounds with it took',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SELF: {
    message: ({ source }: { source: string }) => `${source} is this Broker itself`,
    hint: () => 'take it out of the sources; a copied data folder needs an identity of its own',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_PUSHES: {
    message: ({ server, sessions }: { server: string; sessions: number }) =>
      `server ${server} pushes over more sessions than the ${sessions} that may wait here`,
    hint: () =>
      'see that only one process there uses this identity: a copied data folder needs one of its own',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  BROKER_NO_SOURCE: {
    message: ({ source }: { source: string }) => `this Broker does not collect from ${source}`,
    hint: () => 'garner broker status lists the sources it has',
    exit: 2,
    retry: 'never',
    status: 404,
  },
});
