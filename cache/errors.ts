import { defineErrors } from '../kernel/index.ts';
import { type ConnectFaultName, connectFaultOf } from './connect-faults.ts';

/** One message's place: where it was sent, shortened, and what happened there. */
interface Place {
  readonly url: string;
  readonly why: string;
  /** Set where it is known what kept a connection from coming about. */
  readonly fault?: ConnectFaultName;
}

/** A UDP port that cannot be had. */
interface UdpPort {
  readonly address: string;
  readonly port: number;
  readonly reason: string;
  readonly protocol: 'icp' | 'htcp';
}

const shown = (url: string) => (url.length <= 200 ? url : `${url.slice(0, 197)}...`);

/** What can go wrong between a client of the Object Cache, its store and those it asks. */
export const cacheErrors = defineErrors({
  CACHE_UNREACHABLE: {
    message: ({ url, why }: Place) => `${shown(url)} cannot be reached: ${why}`,
    hint: (data: Place) =>
      connectFaultOf({ data })?.cure ?? 'check the name and that its server runs, then try again',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  CACHE_SILENT: {
    message: ({ url, why }: Place) => `${shown(url)} did not answer in time: ${why}`,
    hint: () => 'try again later, or raise cache.silence',
    exit: 1,
    retry: 'later',
    status: 504,
  },
  CACHE_BROKEN_OFF: {
    message: ({ url, why }: Place) => `the answer of ${shown(url)} broke off: ${why}`,
    hint: () => 'try again; if it stays so, the server behind this cache is at fault',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  CACHE_BAD_RESPONSE: {
    message: ({ url, why }: Place) => `the answer of ${shown(url)} cannot be used: ${why}`,
    hint: () => 'tell whoever runs that server: what it sends is not valid HTTP',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  CACHE_ADDRESS_REFUSED: {
    message: ({ url, why }: Place) => `${shown(url)} is not asked for: ${why}`,
    hint: () =>
      'private addresses are asked only when the operator names them, as host:port, in cache.allow-hosts (--allow-hosts)',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  CACHE_BAD_REQUEST: {
    message: ({ problem }: { problem: string }) => `the request cannot be used: ${problem}`,
    hint: () => 'send one well-formed HTTP/1.1 request',
    exit: 1,
    retry: 'never',
    status: 400,
  },
  CACHE_FORBIDDEN: {
    message: ({ method, host }: { method: string; host: string }) =>
      `no rule of cache.access allows ${method} from this address to ${shown(host) || 'a request without a host'}`,
    hint: () => "the operator's cache.access decides who may ask for what: the first rule that fits counts",
    exit: 1,
    retry: 'never',
    status: 403,
  },
  CACHE_PURGE_OFF: {
    message: () => 'nobody may purge here by the method PURGE',
    hint: () =>
      'its operator decides with cache.purge-access who may; POST /purge on its administration port does the same',
    exit: 1,
    retry: 'never',
    status: 405,
  },
  CACHE_PURGE_FORBIDDEN: {
    message: () => 'nobody may purge from there by the method PURGE',
    hint: () =>
      'its operator decides with cache.purge-access who may; who comes through another server needs a token, and "token" there',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  CACHE_PURGE_TOKEN: {
    message: () => 'who purges from there has to show a token of scope admin, and this is none',
    hint: () => 'send Authorization: Bearer with one of http.admin-tokens',
    exit: 1,
    retry: 'never',
    status: 401,
  },
  CACHE_NOT_SERVED: {
    message: () => 'this cache does not serve that host',
    hint: () => 'ask for a host it was started for, or use it as a proxy if it is one',
    exit: 1,
    retry: 'never',
    status: 421,
  },
  CACHE_METHOD: {
    message: ({ what }: { what: string }) => `${what} is not possible here`,
    hint: () => 'use another method',
    exit: 1,
    retry: 'never',
    status: 501,
  },
  CACHE_METHOD_UNKNOWN: {
    message: ({ method }: { method: string }) => `the method ${method} is not known here`,
    hint: ({ method }: { method: string }) =>
      method === 'BAN'
        ? 'to have responses forgotten use the method PURGE, or garner cache purge'
        : 'use a method of HTTP, in capital letters such as GET',
    exit: 1,
    retry: 'never',
    status: 501,
  },
  CACHE_URL_TOO_LONG: {
    message: ({ limit }: { limit: number }) =>
      `the URL of the request is longer than ${limit} bytes, with its host or that of the origin`,
    hint: () => 'shorten its path or query, or send what is long as content',
    exit: 1,
    retry: 'never',
    status: 414,
  },
  CACHE_HEAD_TOO_LARGE: {
    message: ({ limit }: { limit: string }) => `the head of the request is larger than ${limit}`,
    hint: () => 'send fewer or shorter fields, or raise cache.max-head',
    exit: 1,
    retry: 'never',
    status: 431,
  },
  CACHE_CONTENT_TOO_LARGE: {
    message: ({ limit }: { limit: number }) => `the content of the request is larger than ${limit} bytes`,
    hint: () => 'send less, or raise cache.max-upload',
    exit: 1,
    retry: 'never',
    status: 413,
  },
  CACHE_EXPECTATION: {
    message: () => 'the request expects something other than 100-continue',
    hint: () => 'leave out the Expect field',
    exit: 1,
    retry: 'never',
    status: 417,
  },
  CACHE_PLAIN_ON_TLS: {
    message: () => 'this port speaks TLS, and the request came in plain HTTP',
    hint: () => 'ask with https:// in place of http://, or at the port that speaks plain HTTP',
    exit: 1,
    retry: 'never',
    status: 400,
  },
  CACHE_REQUEST_SLOW: {
    message: () => 'the request did not arrive in time',
    hint: () => 'send it again without pausing',
    exit: 1,
    retry: 'now',
    status: 408,
  },
  CACHE_CLIENT_BUSY: {
    message: () => 'too many requests from this address are being answered at once',
    hint: () => 'wait for answers before asking on, or raise cache.client-requests',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  CACHE_BUSY: {
    message: () => 'too many requests are being answered at once',
    hint: () => 'try again in a second, or raise cache.max-requests',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  CACHE_CLOSING: {
    message: () => 'this cache is stopping',
    hint: () => 'try again when it has started anew',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  CACHE_INTERNAL: {
    message: () => 'this cache failed to answer',
    hint: () => "try again; if it stays so, the cache's log says why",
    exit: 1,
    retry: 'later',
    status: 500,
  },
  CACHE_LOOP: {
    message: ({ name }: { name: string }) => `the request has come through ${name} before`,
    hint: () =>
      'two caches have each other as parents, or one has itself as its origin: take that out, or give each cache a name of its own with cache.name',
    exit: 1,
    retry: 'never',
    status: 508,
  },
  CACHE_ONLY_IF_CACHED: {
    message: () => 'nothing that is stored may answer this request, and it wants only that',
    hint: () => 'leave only-if-cached out of its Cache-Control',
    exit: 1,
    retry: 'later',
    status: 504,
  },
  CACHE_DAMAGED: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is damaged`,
    hint: () => 'it was dropped and will be fetched again; check the disk when this comes back',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  CACHE_GONE: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is no longer here`,
    hint: () => 'ask again: it will be fetched anew',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  CACHE_STORE_FAILED: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the store of the cache in ${path} cannot be used: ${reason}`,
    hint: () => 'check permissions, free space, open files (ulimit -n) and the disk',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  CACHE_BAD_URL: {
    message: ({ url }: { url: string }) => `${shown(url)} is no URL that this cache could have`,
    hint: () =>
      'write an absolute URL such as http://www.example.org/a, or a path at the origin such as /a (but not with cache.pass-host, where each host has paths of its own)',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  CACHE_BAD_FIELD: {
    message: ({ line }: { line: string }) => `${JSON.stringify(line.slice(0, 100))} is no field of a request`,
    hint: () => 'write NAME: VALUE, such as Accept-Language: de',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  CACHE_BAD_PURGE: {
    message: ({ problem }: { problem: string }) => `what is to be purged cannot be understood: ${problem}`,
    hint: () =>
      'send {"url": "..."}, {"prefix": "..."}, {"tag": "..."} or {"all": true}, and perhaps "soft": true',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  CACHE_PEER: {
    message: ({ peer, why }: { peer: string; why: string }) =>
      `${JSON.stringify(peer.slice(0, 200))} cannot be a peer: ${why}`,
    hint: () =>
      'write HOST:PORT or HOST:PORT:ICP, then options behind commas, as in parent.example:3128:3130,weight=2',
    exit: 2,
    retry: 'never',
  },
  CACHE_SOURCE: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is neither an address nor a network`,
    hint: () => 'write all, loopback, an address, or a network such as 10.0.0.0/8',
    exit: 2,
    retry: 'never',
  },
  CACHE_UDP_PORT: {
    message: ({ address, port, reason }: UdpPort) =>
      `UDP port ${port} of ${address} cannot be opened: ${reason}`,
    hint: ({ protocol }: UdpPort) =>
      `choose a free port above 1023 with --${protocol}-port, and an address of this machine with --udp-host`,
    exit: 1,
    retry: 'later',
  },
  CACHE_ACCESS_RULE: {
    message: ({ entry }: { entry: string }) => `"${entry}" is not a port or a run of ports`,
    hint: () => 'write 443, or 8000-8999',
    exit: 2,
    retry: 'never',
  },
  CACHE_ORIGIN: {
    message: ({ entry, problem }: { entry: string; problem: string }) =>
      `"${entry}" is not an origin: ${problem}`,
    hint: () => 'name one as http://host:port or https://host, or as public-name=http://host:port',
    exit: 2,
    retry: 'never',
  },
  CACHE_NAME_PATTERN: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is no name, nor one with a *`,
    hint: () => 'write the name, such as gclid, or with one * for any text in it, such as utm_*',
    exit: 2,
    retry: 'never',
  },
  CACHE_HOST: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is no host to be answered for`,
    hint: () => 'write www.example.org, www.example.org:8080, or .example.org for it and all below it',
    exit: 2,
    retry: 'never',
  },
  CACHE_TUNNEL_REFUSED: {
    message: ({ place, why }: { place: string; why: string }) =>
      `no tunnel is opened to ${shown(place)}: ${why}`,
    hint: () => 'its operator decides with cache.connect-ports and cache.allow-hosts where tunnels may lead',
    exit: 1,
    retry: 'never',
    status: 403,
  },
});
