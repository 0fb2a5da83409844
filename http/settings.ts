import type { Setting } from '../kernel/index.ts';

/** The limits of one server for its callers. Times in milliseconds, sizes in bytes. */
export interface HttpLimits {
  readonly maxHeaderBytes: number;
  readonly maxBodyBytes: number;
  /** Until the headers of a request must be complete. */
  readonly headerTimeoutMs: number;
  /** Until a request with its body must be complete. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle, unless it waits for an answer that is in progress. */
  readonly idleTimeoutMs: number;
  /** How long a connection stays open for a next request. */
  readonly keepAliveMs: number;
  readonly maxConnections: number;
  /** Max requests in progress; the next one gets 503. */
  readonly maxRequests: number;
  /** Percent of `maxRequests` and `maxConnections` that one client address may have. */
  readonly clientShare: number;
  /** Max answers that stay open, such as those of live pages; the next one gets 503. */
  readonly maxStanding: number;
  /** Max of them for each client address. */
  readonly clientStanding: number;
  /** How long unfinished answers may go on when the server closes. */
  readonly closeGraceMs: number;
}

export const defaultLimits: HttpLimits = {
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 * 1024,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  keepAliveMs: 10_000,
  maxConnections: 1024,
  maxRequests: 256,
  clientShare: 50,
  maxStanding: 256,
  clientStanding: 16,
  closeGraceMs: 2_000,
};

const tokenList = {
  kind: 'list',
  default: [],
  secret: true,
  entry: '8 to 512 printable characters without a space',
  example: '[a-long-secret-of-your-own]',
} as const;

/** The operator's settings for every Garner server that listens. */
export const httpSettings: readonly Setting[] = [
  {
    key: 'http.host',
    kind: 'text',
    default: '127.0.0.1',
    describe: 'Address to listen on; 0.0.0.0 for every address of this machine',
  },
  {
    key: 'http.host-names',
    kind: 'list',
    default: [],
    entry: 'a host name without a port',
    example: '[search.example.org]',
    describe: 'Host names this server answers for, besides localhost and its addresses',
  },
  {
    key: 'http.cors-origins',
    kind: 'list',
    default: [],
    entry: 'an origin such as https://docs.example.org, or * for every origin',
    example: '[https://docs.example.org]',
    describe:
      'Origins whose pages may search and read here from their scripts, and show the search page in a frame; never administration',
  },
  {
    key: 'http.tls-certificate',
    kind: 'text',
    default: '',
    describe:
      'File with the certificate (PEM, with its chain) of a Gatherer or Broker that serves TLS itself; plain HTTP when empty',
  },
  {
    key: 'http.tls-key',
    kind: 'text',
    default: '',
    describe: 'File with the key (PEM) of that certificate',
  },
  {
    key: 'http.read-tokens',
    ...tokenList,
    describe: 'Bearer tokens that may read paths that need a token',
  },
  {
    key: 'http.admin-tokens',
    ...tokenList,
    describe: 'Bearer tokens that may administer this server',
  },
  {
    key: 'http.require-token',
    kind: 'flag',
    default: false,
    describe: 'Require a token on every path, search pages included',
  },
  {
    key: 'http.max-header',
    kind: 'size',
    default: defaultLimits.maxHeaderBytes,
    describe: 'Max size of the request headers',
  },
  {
    key: 'http.max-body',
    kind: 'size',
    default: defaultLimits.maxBodyBytes,
    describe: 'Max size of the request body',
  },
  {
    key: 'http.header-timeout',
    kind: 'duration',
    default: defaultLimits.headerTimeoutMs / 1000,
    describe: 'Max time for the headers of a request to arrive',
  },
  {
    key: 'http.request-timeout',
    kind: 'duration',
    default: defaultLimits.requestTimeoutMs / 1000,
    describe: 'Max time for a whole request to arrive',
  },
  {
    key: 'http.idle-timeout',
    kind: 'duration',
    default: defaultLimits.idleTimeoutMs / 1000,
    describe: 'Max idle time of a connection while a request or an answer is being sent',
  },
  {
    key: 'http.keep-alive',
    kind: 'duration',
    default: defaultLimits.keepAliveMs / 1000,
    describe: 'How long a connection stays open for a next request',
  },
  {
    key: 'http.max-connections',
    kind: 'count',
    default: defaultLimits.maxConnections,
    min: 1,
    max: 65_535,
    describe: 'Max connections open at once',
  },
  {
    key: 'http.max-requests',
    kind: 'count',
    default: defaultLimits.maxRequests,
    min: 1,
    max: 65_535,
    describe: 'Max requests in progress at once; further ones get 503 and may try again',
  },
  {
    key: 'http.client-share',
    kind: 'count',
    default: defaultLimits.clientShare,
    min: 1,
    max: 100,
    describe:
      'Percent of http.max-requests, http.max-connections and wire.max-sessions that one client address (for IPv6, one /64 network) may have; further requests of it get 429',
  },
  {
    key: 'http.fronts',
    kind: 'list',
    default: [],
    entry: 'an address or a network',
    example: '[127.0.0.1, 10.0.0.0/8]',
    describe:
      'Addresses of reverse proxies in front of this server, whose Forwarded or X-Forwarded-For header names the client; without it all clients of a proxy count as one',
  },
  {
    key: 'http.max-standing',
    kind: 'count',
    default: defaultLimits.maxStanding,
    min: 1,
    max: 65_535,
    describe:
      'Max answers that stay open at once, such as those of live pages; they are not counted as requests',
  },
  {
    key: 'http.client-standing',
    kind: 'count',
    default: defaultLimits.clientStanding,
    min: 1,
    max: 65_535,
    describe:
      'Max of these answers for each client address (for IPv6, each /64 network); a proxy that http.fronts does not list counts as one client',
  },
  {
    key: 'http.close-grace',
    kind: 'duration',
    default: defaultLimits.closeGraceMs / 1000,
    describe: 'Max time for unfinished answers when the server stops',
  },
];

/** The limits in effect, read from the settings above by key (durations in seconds there). */
export function limitsFrom(value: (key: string) => number): HttpLimits {
  return {
    maxHeaderBytes: value('http.max-header'),
    maxBodyBytes: value('http.max-body'),
    headerTimeoutMs: value('http.header-timeout') * 1000,
    requestTimeoutMs: value('http.request-timeout') * 1000,
    idleTimeoutMs: value('http.idle-timeout') * 1000,
    keepAliveMs: value('http.keep-alive') * 1000,
    maxConnections: value('http.max-connections'),
    maxRequests: value('http.max-requests'),
    clientShare: value('http.client-share'),
    maxStanding: value('http.max-standing'),
    clientStanding: value('http.client-standing'),
    closeGraceMs: value('http.close-grace') * 1000,
  };
}
