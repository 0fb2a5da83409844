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
  BROKER_SOURCE_PASSWORD: {
    message: ({ source }: { source: string }) => `${source} holds a name or a password before its host`,
    hint: () => 'leave them out: a source that wants a token is shown the one given beside its address',
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
  BROKER_PAUSED: {
    message: ({ source }: { source: string }) => `${source} is paused here`,
    hint: () => 'garner broker source resume lets it be collected from again',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_SOURCE_KNOWN: {
    message: ({ source }: { source: string }) => `this Broker collects from ${source} already`,
    hint: () => 'garner broker source list shows it; pause, resume and set change it',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SOURCE_SET: {
    message: ({ source, from }: { source: string; from: string }) =>
      `${source} stands in the settings (${from}) and would come back at the next start`,
    hint: () => 'take it out there and start the Broker again, or let it rest: garner broker source pause',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SOURCES_MOST: {
    message: ({ max }: { max: number }) => `${max} sources were added to this Broker already`,
    hint: () => 'remove some, or name those that stay in broker.collect',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  BROKER_LIVE_SETTING: {
    message: ({ key, problem }: { key: string; problem: string }) => `${key.slice(0, 60)} ${problem}`,
    hint: () => 'garner broker set lists what can be set while the Broker serves',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_BODY: {
    message: ({ problem }: { problem: string }) => `the body of the request cannot be used: ${problem}`,
    hint: () => 'send a JSON object as /openapi.json describes it',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_DELETE_QUERY: {
    message: ({ problem }: { problem: string }) => `nothing was deleted: ${problem}`,
    hint: () => 'write the query out, look at what it finds with --dry-run, and delete then',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_DELETE_MORE: {
    message: ({ found, max }: { found: number; max: number }) =>
      `nothing was deleted: the query finds ${found} objects now, more than the ${max} that were expected`,
    hint: () => 'look again at what it finds, and delete then',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_NOT_BLOCKED: {
    message: ({ oid }: { oid: string }) => `object ${oid} is not blocked here`,
    hint: () => 'garner broker blocked lists those that are',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  BROKER_UPKEEP_BUSY: {
    message: ({ what }: { what: string }) => `${what} is under way already`,
    hint: () => 'wait until it has ended; garner broker audit shows when',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_AUDIT: {
    message: ({ path, problem }: { path: string; problem: string }) =>
      `nothing was done, for the audit ${path} cannot be written: ${problem}`,
    hint: () => 'make room on the disk and see who may write there',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  BROKER_NO_SOURCE: {
    message: ({ source }: { source: string }) => `this Broker does not collect from ${source}`,
    hint: () => 'garner broker status lists the sources it has',
    exit: 2,
    retry: 'never',
    status: 404,
  },
});
