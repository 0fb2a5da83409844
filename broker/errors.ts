import { defineErrors } from '../kernel/index.ts';

interface FullSource {
  readonly objects: number;
  /** Objects that the source has. */
  readonly offered: number;
  /** The settings that limit it. */
  readonly limits: readonly string[];
}

export const brokerErrors = defineErrors({
  BROKER_QUERY: {
    message: ({ field, reason }: { field: string; reason: string }) => `${field} ${reason}`,
    hint: () => 'see /openapi.json for the parameters of a search',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_CURSOR: {
    message: () => 'the result list of this cursor has expired',
    hint: () => 'search again with cursor=*; a list expires ten minutes after it was last read',
    exit: 1,
    retry: 'never',
    status: 410,
  },
  BROKER_BUSY: {
    message: () => 'too many links and documents are being checked at the moment',
    hint: () => 'try again in a few seconds',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  BROKER_NO_TABLE: {
    message: ({ url }: { url: string }) => `${url} is not a table that can be shown here`,
    hint: () => 'delimited text (CSV, TSV) and SQLite databases can be shown; open the document itself',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  BROKER_TABLE_UNREAD: {
    message: ({ url, reason }: { url: string; reason: string }) =>
      `${url} cannot be shown as a table: ${reason}`,
    hint: () => 'open the document itself; a host in a private network must be listed in fetch.allow-hosts',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  BROKER_UNPROVED: {
    message: ({ objects }: { objects: number }) =>
      `this Broker keeps out ${objects} of its objects: the site of each does not name the Gatherer that signed it`,
    hint: () =>
      'ask the owner of the site to serve /.well-known/garner.json (docs/registry.md), or turn broker.require-proof off',
    exit: 1,
    retry: 'later',
    status: 403,
  },
  BROKER_FULL: {
    message: ({ objects, offered, limits }: FullSource) =>
      `the source offers ${offered} objects, beyond its quota of ${limits.join(' and ')}: ${objects} are here, whose changes and deletions still arrive`,
    hint: ({ limits }: FullSource) =>
      `raise ${limits.join(' and ')}, or collect a part of the source with broker.filters`,
    exit: 1,
    retry: 'later',
    status: 507,
  },
  BROKER_NO_ROOM: {
    message: ({ free, min }: { free: number; min: number }) =>
      `collecting waits for disk space: ${free} bytes are free, less than the ${min} of broker.min-free-disk`,
    hint: () => 'free disk space, or lower broker.min-free-disk; collecting then continues by itself',
    exit: 1,
    retry: 'later',
    status: 507,
  },
  BROKER_NO_CHECKS: {
    message: () => 'this Broker does not check links or read documents',
    hint: () => 'its operator can turn this on with broker.link-checks and broker.tables',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  BROKER_NO_SEARCH_LOG: {
    message: () => 'this Broker does not count searches',
    hint: () =>
      'set broker.search-log to counts and restart the Broker: it then counts searches, without addresses',
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
    hint: () => 'check the address, and that the Broker there is not an older version than this one',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  BROKER_NO_BROKERS: {
    message: ({ unsigned = 0 }: { unsigned?: number }) =>
      unsigned === 0
        ? 'no Broker is registered here, so there is nothing to search'
        : `no Broker can be asked here: ${unsigned === 1 ? '1 Broker is' : `${unsigned} Brokers are`} listed, but unsigned, and unsigned ones are not asked`,
    hint: () => 'serve a Broker with --registry and the address of this Registry',
    exit: 1,
    retry: 'later',
    status: 404,
  },
  BROKER_FEDERATED_BUSY: {
    message: () => 'too many searches of several Brokers are running at the moment',
    hint: () => 'try again in a second',
    exit: 1,
    retry: 'later',
    status: 503,
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
      'write it as ws://host:8500 or wss://host, followed by #view=NAME for a view of a Broker, or as push:ID.KEY for a server that pushes (garner gatherer status prints it on that server)',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_SOURCE_PASSWORD: {
    message: ({ source }: { source: string }) => `${source} contains a user name or a password`,
    hint: () => 'remove them; if the source needs a token, give it beside the address',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_AWAITS_PUSH: {
    message: ({ source }: { source: string }) =>
      `${source} is a source that pushes, and has no session at the moment`,
    hint: () =>
      'check that the server runs and that its gatherer.push-to lists this Broker; the server opens the session',
    exit: 12,
    retry: 'later',
    status: 503,
  },
  BROKER_NOT_DIALLED: {
    message: ({ source }: { source: string }) => `${source} pushes: this Broker has no address to connect to`,
    hint: () => 'garner broker status and its page show the cost of the rounds with it',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SELF: {
    message: ({ source }: { source: string }) => `${source} is this Broker itself`,
    hint: () => 'remove it from the sources; a copied data folder needs an identity of its own',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_PUSHES: {
    message: ({ server, sessions }: { server: string; sessions: number }) =>
      `server ${server} has more sessions open than the ${sessions} allowed here`,
    hint: () => 'check that only one process uses this identity: a copied data folder needs one of its own',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  BROKER_PAUSED: {
    message: ({ source }: { source: string }) => `${source} is paused on this Broker`,
    hint: () => 'resume it with garner broker source resume',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_SOURCE_KNOWN: {
    message: ({ source }: { source: string }) => `this Broker collects from ${source} already`,
    hint: () => 'see garner broker source list; change it with pause, resume and set',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SOURCE_SET: {
    message: ({ source, from }: { source: string; from: string }) =>
      `${source} is in the settings (${from}) and would be added again at the next start`,
    hint: () => 'remove it there and restart the Broker, or pause it with garner broker source pause',
    exit: 2,
    retry: 'never',
    status: 409,
  },
  BROKER_SOURCES_MOST: {
    message: ({ max }: { max: number }) => `this Broker already has ${max} added sources, which is the limit`,
    hint: () => 'remove some, or list the permanent ones in broker.collect',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  BROKER_LIVE_SETTING: {
    message: ({ key, problem }: { key: string; problem: string }) => `${key.slice(0, 60)} ${problem}`,
    hint: () => 'garner broker set lists the settings that can be changed while the Broker serves',
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
    hint: () => 'correct the query, check its results with --dry-run, then delete',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  BROKER_DELETE_MORE: {
    message: ({ found, max }: { found: number; max: number }) =>
      `nothing was deleted: the query finds ${found} objects now, more than the ${max} that were expected`,
    hint: () => 'check its results again, then delete',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_NOT_BLOCKED: {
    message: ({ oid }: { oid: string }) => `object ${oid} is not blocked here`,
    hint: () => 'garner broker blocked lists the blocked objects',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  BROKER_UPKEEP_BUSY: {
    message: ({ what }: { what: string }) => `${what} is already running`,
    hint: () => 'wait until it has ended; garner broker audit shows its end',
    exit: 1,
    retry: 'later',
    status: 409,
  },
  BROKER_CENTROID_BUSY: {
    message: (_: Readonly<Record<never, never>>) => 'a centroid is being made for you, or for several others',
    hint: () => 'read that one to its end, or try again in a minute; If-None-Match saves an unchanged one',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  BROKER_AUDIT: {
    message: ({ path, problem }: { path: string; problem: string }) =>
      `nothing was done, because the audit file ${path} cannot be written: ${problem}`,
    hint: () => "free disk space and check the file's permissions",
    exit: 1,
    retry: 'later',
    status: 503,
  },
  BROKER_NO_SOURCE: {
    message: ({ source }: { source: string }) => `this Broker does not collect from ${source}`,
    hint: () => 'garner broker status lists its sources',
    exit: 2,
    retry: 'never',
    status: 404,
  },
});
