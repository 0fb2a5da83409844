import type { Setting } from '../kernel/index.ts';

/** The settings of an Object Cache. */
export const cacheSettings: readonly Setting[] = [
  {
    key: 'cache.name',
    kind: 'text',
    default: '',
    describe:
      'Name of this cache in Via and Cache-Status; when empty, the name of this machine and a part of its own',
  },
  {
    key: 'cache.origin',
    kind: 'list',
    default: [],
    entry: 'a URL, or HOST=URL for requests of that host only',
    example: "['http://127.0.0.1:8080']",
    describe: 'The origin servers for which this cache answers (accelerator)',
  },
  {
    key: 'cache.pass-host',
    kind: 'flag',
    default: false,
    describe:
      'Send the host that the client requested to the origin servers, and store the responses of each host separately: for one server with several sites',
  },
  {
    key: 'cache.hosts',
    kind: 'list',
    default: [],
    entry: 'a host, host:port, or .domain for the domain and its subdomains',
    example: '[www.example.org, .example.net]',
    describe:
      'Hosts that this cache serves for the origin servers, besides those of HOST=URL; every host when empty',
  },
  {
    key: 'cache.proxy',
    kind: 'flag',
    default: false,
    describe: 'Be a forward proxy: clients name any server',
  },
  {
    key: 'cache.parent',
    kind: 'list',
    default: [],
    entry: 'HOST:PORT or HOST:PORT:ICP, and options after commas (docs/cache.md)',
    example: "['parent.example.org:3128:3130', 'edu.example.org:3128:3130,domain=.edu']",
    describe: 'Parent caches, which fetch for this cache',
  },
  {
    key: 'cache.sibling',
    kind: 'list',
    default: [],
    entry: 'HOST:PORT or HOST:PORT:ICP, and options after commas (docs/cache.md)',
    example: "['near.example.org:3128:3130,digest']",
    describe: 'Sibling caches, which are queried only for what they have stored',
  },
  {
    key: 'cache.peer-access',
    kind: 'list',
    default: [],
    entry: 'an address or network (CIDR), loopback or all',
    example: '[192.0.2.0/24]',
    describe: 'Addresses that may query by ICP and HTCP, besides this machine and the configured peers',
  },
  {
    key: 'cache.clear-access',
    kind: 'list',
    default: [],
    entry: 'an address or network (CIDR), loopback or all',
    example: '[192.0.2.10]',
    describe:
      'Addresses that may remove objects of this cache by HTCP (CLR), besides peers with the option may-clear',
  },
  {
    key: 'cache.htcp-keys',
    kind: 'list',
    default: [],
    secret: true,
    entry: 'NAME=SECRET, with a secret of 8 to 512 printable characters without a space',
    example: '[ours=a-long-secret-of-both]',
    describe:
      'Secrets shared with peers that have the option key=NAME: all HTCP between them and this cache is signed',
  },
  {
    key: 'cache.udp-host',
    kind: 'text',
    default: '',
    describe:
      'Address of ICP and HTCP; when empty, that of http.host, or every address if peers are on other machines',
  },
  {
    key: 'cache.peer-wait',
    kind: 'duration',
    default: 2,
    describe: 'Max. wait for the answers of peers; after that the request continues without them',
  },
  {
    key: 'cache.race-after',
    kind: 'duration',
    default: 0.25,
    describe:
      'Max. time without an answer before the origin joins the race between peers; shorter for peers that usually answer quickly',
  },
  {
    key: 'cache.never-direct',
    kind: 'flag',
    default: false,
    describe: 'Send every request to a parent: origins cannot be reached from here',
  },
  {
    key: 'cache.prefer-direct',
    kind: 'flag',
    default: false,
    describe: 'Send requests to the origin first, and to parents when it does not answer',
  },
  {
    key: 'cache.local-domains',
    kind: 'list',
    default: [],
    entry: 'a host or domain',
    example: '[example.org]',
    describe: 'Domains that are nearer than any peer: requests go to their servers directly',
  },
  {
    key: 'cache.stoplist',
    kind: 'list',
    default: ['cgi-bin'],
    entry: 'a text within a URL',
    example: '[cgi-bin]',
    describe:
      'Peers are not queried for URLs that contain one of these texts, since they will not have them stored',
  },
  {
    key: 'cache.memory',
    kind: 'size',
    default: 256 * 2 ** 20,
    describe: 'Memory for contents that are requested often',
  },
  {
    key: 'cache.disk',
    kind: 'size',
    default: 10 * 2 ** 30,
    zero: 'memory only',
    describe: 'Disk for responses; 0 stores them in memory only, so that a restart begins empty',
  },
  {
    key: 'cache.largest',
    kind: 'size',
    default: 0,
    zero: 'a twentieth of the disk',
    describe: 'Max. content that is stored; a twentieth of the disk when 0',
  },
  {
    key: 'cache.eviction',
    kind: 'choice',
    choices: ['sieve', 'lru', 's3-fifo'],
    default: 'sieve',
    describe: 'Who leaves when the cache is full: by SIEVE, the least recently used, or by S3-FIFO',
  },
  {
    key: 'cache.heuristic-percent',
    kind: 'count',
    default: 10,
    max: 100,
    describe: 'Lifetime of a response that states none, as a percentage of its age when it was received',
  },
  {
    key: 'cache.heuristic-max',
    kind: 'duration',
    default: 86_400,
    describe: 'Max. lifetime by that estimate',
  },
  {
    key: 'cache.negative-ttl',
    kind: 'duration',
    default: 0,
    describe:
      'How long an error (404, 405, 410, 414, 501) that states no lifetime is stored; 0 does not store it',
  },
  {
    key: 'cache.stale-if-error',
    kind: 'duration',
    default: 86_400,
    describe:
      'How long after it became stale a response may replace the answer of an origin that does not answer',
  },
  {
    key: 'cache.max-fresh',
    kind: 'duration',
    default: 366 * 86_400,
    describe: 'Max. lifetime of any response, whatever it states',
  },
  {
    key: 'cache.ttl-rules',
    kind: 'records',
    default: [],
    entry: 'a pattern (a JavaScript regular expression) and default, min, max or override',
    example: "[{ pattern: '\\.png$', min: 1h, max: 7d }]",
    describe:
      'Lifetimes by URL; the first pattern that matches decides: pattern, and default, min, max, override (against what the response states)',
  },
  {
    key: 'cache.ignore-query',
    kind: 'list',
    default: [],
    entry: 'the name of a parameter, with one * for any text in it',
    example: '[utm_*, gclid, fbclid]',
    describe:
      'URL parameters that do not change the answer: URLs that differ only in them share one response',
  },
  {
    key: 'cache.strip-query',
    kind: 'flag',
    default: false,
    describe: 'Remove those parameters from requests to servers, too',
  },
  {
    key: 'cache.sort-query',
    kind: 'flag',
    default: false,
    describe: 'Treat URLs that differ only in the order of their parameters as the same',
  },
  {
    key: 'cache.ignore-cookies',
    kind: 'list',
    default: [],
    entry: 'the name of a cookie, with one * for any text in it',
    example: "['_ga*', _gid]",
    describe:
      'Cookies that do not change the answers of the origin servers: they are removed from GET and HEAD requests to them',
  },
  {
    key: 'cache.share-set-cookie',
    kind: 'choice',
    choices: ['explicit', 'public', 'never', 'strip'],
    default: 'explicit',
    describe:
      'Responses that set a cookie and are stored with it for other clients: explicit, those that state a lifetime; public, only those that are public (or have s-maxage or CDN-Cache-Control); never, none; strip stores them without the cookie',
  },
  {
    key: 'cache.client-reload',
    kind: 'choice',
    choices: ['obey', 'ignore'],
    default: 'obey',
    describe:
      'Whether an accelerator obeys or ignores a request for something newer than the stored response (no-cache, max-age, min-fresh, Pragma); requests of peers are always obeyed',
  },
  {
    key: 'cache.collapse-wait',
    kind: 'duration',
    default: 10,
    describe:
      'How long requests wait for one fetch of the same object; after that each fetches it separately',
  },
  {
    key: 'cache.access',
    kind: 'records',
    default: [],
    entry: 'a table of allow (true or false), and the from, methods, hosts or ports to which it applies',
    example: '[{ allow: true, from: [192.0.2.0/24] }]',
    describe:
      'Permitted requests; the first rule that matches decides: allow, from, methods, hosts, ports. Without a match, an accelerator permits everybody and a proxy only this machine',
  },
  {
    key: 'cache.purge-access',
    kind: 'list',
    default: [],
    entry:
      'an address or network (CIDR), loopback, peers, all, or token for requests with one of http.admin-tokens',
    example: '[loopback, 192.0.2.10, token]',
    describe: 'Clients that may remove stored responses by the method PURGE; nobody when empty',
  },
  {
    key: 'cache.allow-hosts',
    kind: 'list',
    default: [],
    entry: 'host:port, or a host for its ports 80 and 443',
    example: '[intranet.example.org, "10.0.0.7:8080"]',
    describe: 'Hosts, as host:port, to which requests go although their address is private',
  },
  {
    key: 'cache.connect-ports',
    kind: 'list',
    default: ['443'],
    entry: 'a port, or a range of ports such as 8000-8999',
    example: "['443', '8443']",
    describe: 'Ports to which a proxy opens tunnels (CONNECT)',
  },
  {
    key: 'cache.max-tunnels',
    kind: 'count',
    default: 1024,
    min: 1,
    describe: 'Tunnels and WebSockets open at once',
  },
  {
    key: 'cache.forwarded',
    kind: 'flag',
    default: true,
    describe:
      'Send the origin servers the address of the client and protocol (Forwarded, X-Forwarded-For, X-Forwarded-Proto), and remove what clients state about another host or path (X-Forwarded-Host and the like)',
  },
  {
    key: 'cache.fronts',
    kind: 'list',
    default: ['loopback'],
    entry: 'an address or network (CIDR), loopback or all',
    example: '[loopback, 192.0.2.10]',
    describe:
      'Trusted servers in front of this cache: their X-Real-IP, CF-Connecting-IP and the like are passed on, those of other clients are not',
  },
  {
    key: 'cache.tls-certificate',
    kind: 'text',
    default: '',
    describe: 'File with the certificate (PEM) for TLS with clients; plain HTTP when empty',
  },
  {
    key: 'cache.tls-key',
    kind: 'text',
    default: '',
    describe: 'File with the key (PEM) of that certificate',
  },
  {
    key: 'cache.max-head',
    kind: 'size',
    default: 32 * 2 ** 10,
    describe: 'Max. head of a request',
  },
  {
    key: 'cache.max-upload',
    kind: 'size',
    default: 2 ** 30,
    describe: 'Max. content of a request that is forwarded',
  },
  {
    key: 'cache.stall',
    kind: 'duration',
    default: 60,
    describe: 'How long a client may neither read what is sent to it nor send what the cache waits for',
  },
  {
    key: 'cache.max-connections',
    kind: 'count',
    default: 8192,
    min: 1,
    describe: 'Connections of clients open at once',
  },
  {
    key: 'cache.max-requests',
    kind: 'count',
    default: 4096,
    min: 1,
    describe: 'Requests in flight; further ones get 503 with Retry-After',
  },
  {
    key: 'cache.client-connections',
    kind: 'count',
    default: 2048,
    min: 1,
    describe: 'Connections of one client open at once',
  },
  {
    key: 'cache.client-requests',
    kind: 'count',
    default: 2048,
    min: 1,
    describe: 'Requests of one client in flight; further ones get 429 with Retry-After',
  },
  {
    key: 'cache.connect-timeout',
    kind: 'duration',
    default: 10,
    describe: 'Time for a connection to an origin or peer',
  },
  {
    key: 'cache.silence',
    kind: 'duration',
    default: 60,
    describe: 'How long an origin or peer may send nothing while it answers',
  },
  {
    key: 'cache.fast-lane',
    kind: 'flag',
    default: true,
    describe: 'Answer plain requests for contents in memory by a faster path',
  },
  {
    key: 'cache.workers',
    kind: 'count',
    default: 1,
    max: 256,
    describe:
      'Processes that answer hits in the fast lane, the one with the store among them; 0 for one per core of this machine',
  },
  {
    key: 'cache.ftp-fresh',
    kind: 'duration',
    default: 3600,
    describe: 'Lifetime of an FTP or Gopher response without a date: folders, menus, all of Gopher',
  },
];
