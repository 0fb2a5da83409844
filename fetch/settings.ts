import type { Setting } from '../kernel/index.ts';

/** The operator's settings for requests to the Web. */
export const fetchSettings: readonly Setting[] = [
  {
    key: 'fetch.credentials',
    kind: 'records',
    default: [],
    secret: true,
    entry:
      'a URL prefix, and user with password or password-env, or token or token-env; a name if a root refers to it',
    example: "[{ url: 'https://intranet.example.org/', user: garner, password-env: INTRANET_PASSWORD }]",
    describe:
      'Credentials: url (a prefix), and user with password, or token; password-env and token-env name variables',
  },
  {
    key: 'fetch.cookies',
    kind: 'flag',
    default: true,
    describe:
      'Keep the cookies that sites set, for as long as the process lives, and return them to these sites',
  },
  {
    key: 'fetch.http-proxy',
    kind: 'text',
    default: '',
    describe: 'Proxy for http: URLs; that of http_proxy when empty',
  },
  {
    key: 'fetch.https-proxy',
    kind: 'text',
    default: '',
    describe: 'Proxy for https: URLs; that of https_proxy when empty',
  },
  {
    key: 'fetch.no-proxy',
    kind: 'list',
    default: [],
    entry: 'a domain with all its hosts, host:port, an address, or * for all',
    example: '[example.org, 127.0.0.1]',
    describe: 'Hosts that are reached directly; those of no_proxy when empty',
  },
  {
    key: 'fetch.cache',
    kind: 'text',
    default: '',
    describe:
      'Object cache that gets every request for http:, https:, ftp: and gopher: URLs, in place of a proxy: HOST:PORT or a URL (docs/cache.md)',
  },
  {
    key: 'fetch.contact',
    kind: 'text',
    default: '',
    describe: 'Address or URL in the User-Agent where a webmaster can reach you.',
  },
  {
    key: 'fetch.allow-hosts',
    kind: 'list',
    default: [],
    entry: 'host:port, a host for its ports 80 and 443, or a URL without a path for its host and port',
    example: '[docs.intranet.example, "10.0.0.7:8080"]',
    describe: 'Hosts (host or host:port) with a private address that links and redirects may lead to.',
  },
  {
    key: 'fetch.http2',
    kind: 'flag',
    default: false,
    describe: 'Speak HTTP/2 to https: servers that offer it; proxies get HTTP/1.1.',
  },
  {
    key: 'fetch.delay',
    kind: 'duration',
    default: 1,
    describe: 'Min time between two requests to one host; this machine itself has no delay.',
  },
  {
    key: 'fetch.per-host',
    kind: 'count',
    default: 4,
    min: 1,
    max: 64,
    describe: 'Max requests in flight to one host (twice as many to this machine itself).',
  },
  {
    key: 'fetch.connections',
    kind: 'count',
    default: 64,
    min: 1,
    max: 4096,
    describe: 'Max requests in flight to all hosts together.',
  },
  {
    key: 'fetch.retries',
    kind: 'count',
    default: 3,
    min: 0,
    max: 20,
    describe: 'How often a request is repeated after a broken connection or an answer 429, 502, 503 or 504.',
  },
  {
    key: 'fetch.retry-after-max',
    kind: 'duration',
    default: 120,
    describe: 'Max time to wait because a server demands it (Retry-After).',
  },
  {
    key: 'fetch.connect-timeout',
    kind: 'duration',
    default: 10,
    describe: 'Max time to wait for a connection.',
  },
  {
    key: 'fetch.headers-timeout',
    kind: 'duration',
    default: 30,
    describe: 'Max time to wait for the first line and headers of an answer.',
  },
  {
    key: 'fetch.idle-timeout',
    kind: 'duration',
    default: 30,
    describe: 'Max silence in the middle of a body.',
  },
  {
    key: 'fetch.total-timeout',
    kind: 'duration',
    default: 300,
    describe: 'Max time for one request from sending it to the last byte of its body.',
  },
  {
    key: 'fetch.max-bytes',
    kind: 'size',
    default: 64 * 1024 * 1024,
    describe: 'Max size of a decoded body, where the caller sets no limit of its own.',
  },
];
