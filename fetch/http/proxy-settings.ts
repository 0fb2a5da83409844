import type { Setting } from '../../kernel/index.ts';

/** What an operator may set about proxies and cookies. */
export const proxySettings: readonly Setting[] = [
  {
    key: 'fetch.http-proxy',
    kind: 'text',
    default: '',
    secret: true,
    describe: 'Proxy for http: URLs, http://HOST:PORT; http_proxy of the environment when empty.',
  },
  {
    key: 'fetch.https-proxy',
    kind: 'text',
    default: '',
    secret: true,
    describe: 'Proxy for https: URLs, which are tunnelled; https_proxy of the environment when empty.',
  },
  {
    key: 'fetch.no-proxy',
    kind: 'list',
    default: [],
    entry: 'a domain with all its hosts, host:port, an address, or * for all',
    example: '[example.org, 127.0.0.1]',
    describe: 'Hosts asked without a proxy: example.org and all its hosts, host:port, an address, or *.',
  },
  {
    key: 'fetch.cookies',
    kind: 'flag',
    default: true,
    describe: 'Send cookies back to the host that set them, within one run.',
  },
  {
    key: 'fetch.cookie-domains',
    kind: 'list',
    default: [],
    entry: 'a domain',
    example: '[example.org]',
    describe: 'Domains whose cookies go to all their hosts, such as example.org.',
  },
];
