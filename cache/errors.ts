import { defineErrors, failure } from '../kernel/index.ts';
import { type ConnectFaultName, connectFaultOf } from './connect-faults.ts';

/** The place of one message: the URL it was sent to, shortened, and the reason of the failure. */
interface Place {
  readonly url: string;
  readonly why: string;
  /** Set when the fault that prevented the connection is known. */
  readonly fault?: ConnectFaultName;
}

interface UdpPort {
  readonly address: string;
  readonly port: number;
  readonly reason: string;
  readonly protocol: 'icp' | 'htcp';
}

const refused = { exit: 1, retry: 'never' } as const;
const misused = { exit: 2, retry: 'never' } as const;
const later = { exit: 1, retry: 'later' } as const;
const again = { exit: 1, retry: 'now' } as const;

const shown = (url: string) => (url.length <= 200 ? url : `${url.slice(0, 197)}...`);

/** The errors between a client of the Object Cache, its store, its peers and its origins. */
export const cacheErrors = defineErrors({
  CACHE_UNREACHABLE: {
    message: ({ url, why }: Place) => `${shown(url)} cannot be reached: ${why}`,
    hint: (data: Place) =>
      connectFaultOf({ data })?.cure ?? 'check the name, check that its server runs, then try again',
    ...later,
    status: 502,
  },
  CACHE_SILENT: {
    message: ({ url, why }: Place) => `${shown(url)} did not answer in time: ${why}`,
    hint: () => 'try again later, or raise cache.silence',
    ...later,
    status: 504,
  },
  CACHE_BROKEN_OFF: {
    message: ({ url, why }: Place) => `the answer of ${shown(url)} broke off: ${why}`,
    hint: () => 'try again; if the error persists, the server behind this cache is at fault',
    ...again,
    status: 502,
  },
  CACHE_BAD_RESPONSE: {
    message: ({ url, why }: Place) => `the answer of ${shown(url)} cannot be used: ${why}`,
    hint: () => 'report to the operator of that server that it does not send valid HTTP',
    ...refused,
    status: 502,
  },
  CACHE_ADDRESS_REFUSED: {
    message: ({ url, why }: Place) => `${shown(url)} is not requested: ${why}`,
    hint: () =>
      'a private address is requested only when the operator names it, as host:port, in cache.allow-hosts (--allow-hosts)',
    ...refused,
    status: 403,
  },
  CACHE_BAD_REQUEST: {
    message: ({ problem }: { problem: string }) => `the request cannot be used: ${problem}`,
    hint: () => 'send one well-formed HTTP/1.1 request',
    ...refused,
    status: 400,
  },
  CACHE_FORBIDDEN: {
    message: ({ method, host }: { method: string; host: string }) =>
      `no rule of cache.access allows ${method} from this address to ${shown(host) || 'a request without a host'}`,
    hint: () => 'the operator sets cache.access; the first rule that matches decides',
    ...refused,
    status: 403,
  },
  CACHE_PURGE_OFF: {
    message: () => 'the method PURGE is switched off here',
    hint: () =>
      'the operator permits it with cache.purge-access; POST /purge on the administration port does the same',
    ...refused,
    status: 405,
  },
  CACHE_PURGE_FORBIDDEN: {
    message: () => 'the method PURGE is not permitted from this address',
    hint: () =>
      'the operator permits addresses with cache.purge-access; a request through another server needs a token, and the entry "token" there',
    ...refused,
    status: 403,
  },
  CACHE_PURGE_TOKEN: {
    message: () =>
      'a purge from this address needs a token of scope admin, and the request has none that is valid',
    hint: () => 'send Authorization: Bearer with one of http.admin-tokens',
    ...refused,
    status: 401,
  },
  CACHE_NOT_SERVED: {
    message: () => 'this cache does not serve that host',
    hint: () => 'request a host that this cache serves, or use it as a proxy if it is one',
    ...refused,
    status: 421,
  },
  CACHE_METHOD: {
    message: ({ what }: { what: string }) => `${what} is not possible here`,
    hint: () => 'use another method',
    ...refused,
    status: 501,
  },
  CACHE_METHOD_UNKNOWN: {
    message: ({ method }: { method: string }) => `the method ${method} is unknown here`,
    hint: ({ method }: { method: string }) =>
      method === 'BAN'
        ? 'to remove stored responses use the method PURGE, or garner cache purge'
        : 'use an HTTP method in capital letters, such as GET',
    ...refused,
    status: 501,
  },
  CACHE_URL_TOO_LONG: {
    message: ({ limit }: { limit: number }) =>
      `the URL of the request, with its host or the host of the origin, is longer than ${limit} bytes`,
    hint: () => 'shorten its path or query, or send the long part as content',
    ...refused,
    status: 414,
  },
  CACHE_HEAD_TOO_LARGE: {
    message: ({ limit }: { limit: string }) => `the head of the request is larger than ${limit}`,
    hint: () => 'send fewer or shorter fields, or raise cache.max-head',
    ...refused,
    status: 431,
  },
  CACHE_CONTENT_TOO_LARGE: {
    message: ({ limit }: { limit: number }) => `the content of the request is larger than ${limit} bytes`,
    hint: () => 'send less, or raise cache.max-upload',
    ...refused,
    status: 413,
  },
  CACHE_EXPECTATION: {
    message: () => 'the request expects something other than 100-continue',
    hint: () => 'leave out the Expect field',
    ...refused,
    status: 417,
  },
  CACHE_PLAIN_ON_TLS: {
    message: () => 'this port speaks TLS, and the request came in plain HTTP',
    hint: () => 'write https:// in place of http://, or use the port that speaks plain HTTP',
    ...refused,
    status: 400,
  },
  CACHE_REQUEST_SLOW: {
    message: () => 'the request did not arrive in time',
    hint: () => 'send it again without pausing',
    ...again,
    status: 408,
  },
  CACHE_CLIENT_BUSY: {
    message: () => 'too many requests from this address are in flight',
    hint: () => 'wait for answers before you send more requests, or raise cache.client-requests',
    ...later,
    status: 429,
  },
  CACHE_BUSY: {
    message: () => 'too many requests are in flight',
    hint: () => 'try again in a second, or raise cache.max-requests',
    ...later,
    status: 503,
  },
  CACHE_CLOSING: {
    message: () => 'this cache is stopping',
    hint: () => 'try again when it has restarted',
    ...later,
    status: 503,
  },
  CACHE_INTERNAL: {
    message: () => 'this cache failed to answer',
    hint: () => 'try again; if the error persists, the log of the cache gives the reason',
    ...later,
    status: 500,
  },
  CACHE_LOOP: {
    message: ({ name }: { name: string }) => `the request has already passed through ${name}`,
    hint: () =>
      'two caches have each other as parents, or a cache has itself as its origin: remove that, or give each cache its own name with cache.name',
    ...refused,
    status: 508,
  },
  CACHE_ONLY_IF_CACHED: {
    message: () =>
      'no stored response may answer this request, and the request accepts only a stored response',
    hint: () => 'remove only-if-cached from its Cache-Control',
    ...later,
    status: 504,
  },
  CACHE_DAMAGED: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is damaged`,
    hint: () => 'it was removed and will be fetched again; check the disk if this error returns',
    ...again,
    status: 502,
  },
  CACHE_GONE: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is no longer stored`,
    hint: () => 'send the request again: the response will be fetched again',
    ...again,
    status: 502,
  },
  CACHE_STORE_FAILED: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the store of the cache in ${path} cannot be used: ${reason}`,
    hint: () => 'check permissions, free space, the limit of open files (ulimit -n) and the disk',
    ...later,
    status: 503,
  },
  CACHE_BAD_URL: {
    message: ({ url }: { url: string }) => `${shown(url)} is not a URL that this cache could store`,
    hint: () =>
      'write an absolute URL such as http://www.example.org/a, or a path at the origin such as /a (but not with cache.pass-host, where each host has its own paths)',
    ...misused,
    status: 400,
  },
  CACHE_BAD_FIELD: {
    message: ({ line }: { line: string }) => `${JSON.stringify(line.slice(0, 100))} is not a request field`,
    hint: () => 'write NAME: VALUE, such as Accept-Language: de',
    ...misused,
    status: 400,
  },
  CACHE_BAD_PURGE: {
    message: ({ problem }: { problem: string }) => `the purge cannot be understood: ${problem}`,
    hint: () =>
      'send {"url": "..."}, {"prefix": "..."}, {"tag": "..."} or {"all": true}, optionally with "soft": true',
    ...misused,
    status: 400,
  },
  CACHE_PEER: {
    message: ({ peer, why }: { peer: string; why: string }) =>
      `${JSON.stringify(peer.slice(0, 200))} cannot be a peer: ${why}`,
    hint: () =>
      'write HOST:PORT or HOST:PORT:ICP, then options after commas, as in parent.example:3128:3130,weight=2',
    ...misused,
  },
  CACHE_SOURCE: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is neither an address nor a network`,
    hint: () => 'write all, loopback, an address, or a network such as 10.0.0.0/8',
    ...misused,
  },
  CACHE_UDP_PORT: {
    message: ({ address, port, reason }: UdpPort) =>
      `UDP port ${port} of ${address} cannot be opened: ${reason}`,
    hint: ({ protocol }: UdpPort) =>
      `choose a free port above 1023 with --${protocol}-port, and an address of this machine with --udp-host`,
    ...later,
  },
  CACHE_ACCESS_RULE: {
    message: ({ entry }: { entry: string }) => `"${entry}" is not a port or a range of ports`,
    hint: () => 'write 443, or 8000-8999',
    ...misused,
  },
  CACHE_ORIGIN: {
    message: ({ entry, problem }: { entry: string; problem: string }) =>
      `"${entry}" is not an origin: ${problem}`,
    hint: () => 'name one as http://host:port or https://host, or as public-name=http://host:port',
    ...misused,
  },
  CACHE_NAME_PATTERN: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is neither a name nor a name with one *`,
    hint: () => 'write the name, such as gclid, or a name with one * for any text, such as utm_*',
    ...misused,
  },
  CACHE_HOST: {
    message: ({ entry }: { entry: string }) =>
      `${JSON.stringify(entry.slice(0, 80))} is not a host that can be served`,
    hint: () =>
      'write www.example.org, www.example.org:8080, or .example.org for the domain and its subdomains',
    ...misused,
  },
  CACHE_TUNNEL_REFUSED: {
    message: ({ place, why }: { place: string; why: string }) =>
      `no tunnel is opened to ${shown(place)}: ${why}`,
    hint: () =>
      'the operator sets the permitted targets of tunnels with cache.connect-ports and cache.allow-hosts',
    ...refused,
    status: 403,
  },
});

/** CACHE_STORE_FAILED for an error of the file system at `path`. */
export function storeFailed(path: string, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  return failure(cacheErrors.CACHE_STORE_FAILED, { path, reason }, error);
}
