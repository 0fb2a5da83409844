import { defineErrors } from '../kernel/index.ts';

const untrusted = { exit: 1, retry: 'later', status: 502 } as const;

export const exchangeErrors = defineErrors({
  EXCHANGE_MESSAGE: {
    message: ({ type, reason }: { type: string; reason: string }) =>
      `the peer sent a ${type} message that ${reason}`,
    hint: () => 'check that both servers run compatible versions; if they do, the peer is faulty or hostile',
    ...untrusted,
  },
  EXCHANGE_VERB: {
    message: ({ verb }: { verb: string }) => `this server does not answer ${verb}`,
    hint: () => 'collect from a Gatherer or a Broker, and check that both run compatible versions',
    exit: 1,
    retry: 'never',
    status: 400,
  },
  EXCHANGE_SCHEME: {
    message: ({ scheme, reason }: { scheme: string; reason: string }) =>
      `scheme ${scheme} cannot be used here: ${reason}`,
    hint: () => 'leave the scheme out and let the source choose',
    exit: 1,
    retry: 'never',
    status: 409,
  },
  EXCHANGE_CUT: {
    message: ({ source }: { source: string }) => `the collection from ${source} was cut short`,
    hint: () => 'no learned object is lost: the next round continues where this one stopped',
    exit: 12,
    retry: 'now',
    status: 502,
  },
  EXCHANGE_SILENT: {
    message: ({ source, seconds }: { source: string; seconds: number }) =>
      `${source} has sent nothing for ${seconds} s in the middle of a round`,
    hint: () =>
      'no learned object is lost, and the next round continues there; if it happens again look at that server, or raise exchange.silence here',
    exit: 12,
    retry: 'later',
    status: 504,
  },
  EXCHANGE_UNVERIFIED: {
    message: ({ url, reason }: { url: string; reason: string }) =>
      `the object for ${url} does not match the signature of its Gatherer: ${reason}`,
    hint: () => 'do not trust this source until its owner has checked it: somebody changed its objects',
    ...untrusted,
  },
  EXCHANGE_UNSIGNED: {
    message: ({ source }: { source: string }) => `${source} has not signed its answer`,
    hint: () => 'nothing of it was used: somebody on the way changes messages; use a wss: address',
    ...untrusted,
  },
  EXCHANGE_FILLING: {
    message: ({ objects, held }: { objects: number; held: number }) =>
      `the source was rebuilt and is still gathering for the first time: it has ${objects} objects so far, the copy ${held}`,
    hint: () => 'nothing is forgotten meanwhile; the copy is updated once that gathering has ended',
    exit: 12,
    retry: 'later',
    status: 503,
  },
  EXCHANGE_FILTER: {
    message: ({ filter }: { filter: string }) => `${filter} is not a filter that this server understands`,
    hint: () => 'check the query of the filter, and that both servers run compatible versions',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  EXCHANGE_PUSH: {
    message: ({ broker, server }: { broker: string; server: string; source: string }) =>
      `${broker} does not collect from server ${server}, which pushes to it`,
    hint: ({ source }: { source: string }) =>
      `add ${source} to broker.collect of that Broker if garner gatherer status prints this at the Gatherer; else remove the Broker from gatherer.push-to there`,
    exit: 1,
    retry: 'never',
    status: 403,
  },
  EXCHANGE_RIVAL_KEY: {
    message: ({ server }: { server: string }) =>
      `server ${server} shows another successor of its key than the one known here`,
    hint: () =>
      'a key of it was stolen, or an old copy of its data was restored: ask its owner; the successor that is known here holds, so a server that lost to a thief needs a new data folder with a new identity',
    ...untrusted,
  },
  EXCHANGE_KEY: {
    message: ({ server }: { server: string }) => `server ${server} has another key than before`,
    hint: () => 'ask its owner whether the key was replaced; if so, remove the source and add it again',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  EXCHANGE_DELETE_BURST: {
    message: ({ deletes, held }: { deletes: number; held: number }) =>
      `the source would make us forget ${deletes} of ${held} objects, some of which it still has`,
    hint: () => 'these were not forgotten; if the source really shrank, remove it and add it again',
    ...untrusted,
  },
  EXCHANGE_DIVERGED: {
    message: ({ source }: { source: string }) =>
      `after comparing everything our copy still differs from ${source}`,
    hint: () =>
      'the source changes faster than it can be read, or one of the two stores is faulty; the next round tries again',
    ...untrusted,
  },
});
