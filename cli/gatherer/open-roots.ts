import { availableParallelism, hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import {
  CookieJar,
  Credentials,
  FtpClient,
  FtpThroughCache,
  GopherClient,
  GopherThroughCache,
  HttpClient,
  Proxies,
  proxyFromEnvironment,
  RobotsTxt,
  userAgent,
  withCredentials,
} from '../../fetch/index.ts';
import {
  type Enumerator,
  enumeratorFor,
  type FolderBounds,
  FolderEnumerator,
  fetchOfAll,
  folderBounds,
  type GathererOptions,
  LeafEnumerator,
  LoadBudget,
  LocalMapping,
  parseRootNode,
  type RootNode,
  type RootServices,
  rootedAt,
  type ScopeRule,
  sumOf,
  type WatchedFolder,
  WebEnumerator,
} from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { allowedHosts } from '../config/allowed-hosts.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { folderName, type Site } from '../config/site.ts';
import { version } from '../config/version.ts';

/** How the enumerators read pages. */
type Pages = Parameters<GathererOptions['enumerators']>[0];

/** The roots and leaves to gather, and their clients; disposing closes them. */
export interface OpenedRoots extends AsyncDisposable {
  readonly enumerators: GathererOptions['enumerators'];
  /** The folders among the roots, which can be watched, and the other roots; empty until `enumerators` is called. */
  readonly watched: readonly WatchedFolder[];
  readonly unwatched: readonly Enumerator[];
  /** Answers of web servers by status so far. */
  readonly answers: () => Readonly<Record<string, number>>;
  /** The counts of the local mappings so far. */
  readonly mapped: NonNullable<GathererOptions['mapped']>;
  /** The load budget of gathering; the clients observe its request rate themselves. */
  readonly budget: LoadBudget;
  /** The provider's host, and the default name of the Gatherer. */
  readonly host: string;
  readonly name: string;
}

function zeroIsNone(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

/** The roots in the configuration, beside the site. Throws GATHERER_ROOT_NODE. */
export function configuredRoots(config: EffectiveConfig): readonly RootNode[] {
  return config.records('gatherer.roots').map((record, at) => parseRootNode(record, `gatherer.roots[${at}]`));
}

function loadBudget(config: EffectiveConfig): LoadBudget {
  return new LoadBudget({
    cpuShare: config.count('gatherer.cpu-share'),
    cores: availableParallelism(),
    readRate: config.bytes('gatherer.read-rate'),
    requestRate: config.count('gatherer.request-rate'),
    clock: systemClock,
  });
}

function httpClient(
  config: EffectiveConfig,
  proxies: Proxies,
  allowHosts: readonly string[],
  { requests }: LoadBudget,
): HttpClient {
  return new HttpClient({
    rate: requests,
    userAgent: userAgent(version(), config.text('fetch.contact')),
    allowHosts,
    delayMs: config.seconds('fetch.delay') * 1000,
    perHost: config.count('fetch.per-host'),
    connections: config.count('fetch.connections'),
    retries: config.count('fetch.retries'),
    retryAfterMaxMs: config.seconds('fetch.retry-after-max') * 1000,
    connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    headersTimeoutMs: config.seconds('fetch.headers-timeout') * 1000,
    idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
    totalTimeoutMs: config.seconds('fetch.total-timeout') * 1000,
    maxBytes: config.bytes('fetch.max-bytes'),
    http2: config.flag('fetch.http2'),
    clock: systemClock,
    random: systemRandom,
    proxies,
  });
}

/** Open the roots of a site and the configuration. Throws GATHERER_ROOT_NODE, FETCH_CREDENTIALS, FETCH_PROXY. */
export async function openRoots(site: Site, config: EffectiveConfig): Promise<OpenedRoots> {
  const own = site.kind === 'root' ? [parseRootNode({ url: site.url }, '--root')] : [];
  const roots = [...own, ...configuredRoots(config)];
  const openers = await Promise.all(roots.map(async (root) => ({ root, open: await enumeratorFor(root) })));
  const leaves = config.list('gatherer.leaves');
  const typed = [...(site.kind === 'web' ? [site.url] : []), ...roots.map(({ url }) => url), ...leaves];
  const allowHosts = [
    ...typed.filter((url) => URL.parse(url)?.host),
    ...allowedHosts(config, 'fetch.allow-hosts'),
  ];
  const proxies = openProxies(config);
  const budget = loadBudget(config);
  const client = httpClient(config, proxies, allowHosts, budget);
  const credentials = Credentials.parse(config.records('fetch.credentials'), process.env);
  const reached = {
    allowHosts,
    clock: systemClock,
    rate: budget.requests,
    delayMs: config.seconds('fetch.delay') * 1000,
    connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
    totalTimeoutMs: config.seconds('fetch.total-timeout') * 1000,
    maxBytes: config.bytes('fetch.max-bytes'),
  };
  const login = (url: string) => credentials.login(url);
  const ftpClient = new FtpClient({ ...reached, credentials: login });
  const cached = { fetch: client.fetch, proxies };
  const ftp = new FtpThroughCache({ ...cached, direct: ftpClient, credentials: login });
  const gopher = new GopherThroughCache({ ...cached, direct: new GopherClient(reached) });
  const cookies = config.flag('fetch.cookies') ? { cookies: new CookieJar({ clock: systemClock }) } : {};
  const mappings = config.records('gatherer.local-mapping').map(({ url, path }) => ({
    url: String(url),
    path: String(path),
  }));
  const maxBytes = config.bytes('gatherer.max-document-bytes');
  const mapped: LocalMapping[] = [];
  const mappedFetch = (own: Credentials) => {
    const next = withCredentials(client.fetch, { credentials: own, ...cookies });
    const mapping = new LocalMapping(mappings, next, maxBytes);
    mapped.push(mapping);
    return mapping.fetch;
  };
  const hidden = config.flag('gatherer.hidden');
  const maxUrls = zeroIsNone(config.count('gatherer.max-urls'));
  const maxDepth = zeroIsNone(config.count('gatherer.max-depth'));
  const limits = {
    maxBytesPerDocument: maxBytes,
    ...(maxUrls === undefined ? {} : { maxUrls }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
  };
  const folder = (path: string, baseUrl: string, own: FolderBounds = {}) =>
    new FolderEnumerator({
      root: path,
      baseUrl,
      hidden,
      ...limits,
      ...own,
      siblings: config.records('gatherer.siblings').length > 0,
      allowEmpty: config.flag('gatherer.allow-empty'),
    });
  const watched: WatchedFolder[] = [];
  const unwatched: Enumerator[] = [];
  const watchedFolder = (root: string, enumerator: FolderEnumerator): FolderEnumerator => {
    watched.push({ root, hidden, enumerator });
    return enumerator;
  };
  const robotsFor = (fetch: RootServices['fetch']) =>
    config.flag('gatherer.robots') ? { robots: new RobotsTxt({ fetch, clock: systemClock }) } : {};
  const web = (root: string, fetch: RootServices['fetch'], pages: Pages, rule?: ScopeRule): Enumerator =>
    new WebEnumerator({
      root,
      fetch,
      ...pages,
      ...robotsFor(fetch),
      limits,
      stayBelow: config.flag('gatherer.stay-below'),
      sitemaps: config.flag('gatherer.sitemaps'),
      pageLists: config.flag('gatherer.page-lists'),
      ignoreParameters: config.list('gatherer.ignore-parameters'),
      learnParameters: config.flag('gatherer.learn-parameters'),
      trapPages: config.count('gatherer.trap-pages'),
      concurrency: config.count('gatherer.concurrency'),
      frontierUrls: config.count('gatherer.frontier-urls'),
      ...(rule === undefined ? {} : { rule }),
    });
  const services = (root: RootNode | undefined, pages: Pages): RootServices => {
    const own = root?.credentials === undefined ? credentials : credentials.only(root.credentials);
    const fetch = mappedFetch(own);
    return {
      fetch,
      ftp,
      gopher,
      credentials: own,
      ...robotsFor(fetch),
      clock: systemClock,
      maxBytes,
      concurrency: config.count('gatherer.concurrency') || 4,
      hidden,
      ...(process.env.NNTPSERVER === undefined ? {} : { newsServer: process.env.NNTPSERVER }),
      rate: budget.requests,
      web: (node, rule) => web(node.url, fetch, pages, rule),
      folder: (node, rule, path) =>
        watchedFolder(
          path,
          folder(path, node.baseUrl ?? pathToFileURL(`${path}/`).href, folderBounds(rule, limits)),
        ),
    };
  };
  const host =
    site.kind === 'web' || site.kind === 'root' ? new URL(site.url).host || hostname() : hostname();
  return {
    enumerators: (pages) => {
      const shared = services(undefined, pages);
      const made: readonly (readonly [string | undefined, Enumerator])[] = [
        ...(site.kind === 'folder'
          ? [[site.path, watchedFolder(site.path, folder(site.path, site.baseUrl))] as const]
          : []),
        ...(site.kind === 'web' ? [[site.url, web(site.url, shared.fetch, pages)] as const] : []),
        ...openers.map(({ root, open }) => [root.url, open(services(root, pages))] as const),
        ...(leaves.length === 0
          ? []
          : [[undefined, new LeafEnumerator(leaves, { ...shared, fetch: fetchOfAll(shared) })] as const]),
      ];
      for (const [, enumerator] of made)
        if (!watched.some((folder) => folder.enumerator === enumerator)) unwatched.push(enumerator);
      return made.map(([root, enumerator]) => (root === undefined ? enumerator : rootedAt(root, enumerator)));
    },
    watched,
    unwatched,
    answers: () => client.counts.answers,
    mapped: () => ({
      local: mapped.reduce((sum, { counts }) => sum + counts.local, 0),
      network: sumOf(mapped.map(({ counts }) => counts.network)),
    }),
    budget,
    host,
    name: site.kind === 'folder' ? folderName(site.path) : host,
    [Symbol.asyncDispose]: async () => {
      await ftpClient[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await proxies[Symbol.asyncDispose]();
    },
  };
}

/** The way of requests: an object cache, proxies of the settings or of the environment. Throws FETCH_PROXY. */
function openProxies(config: EffectiveConfig): Proxies {
  const of = (name: string) => config.text(`fetch.${name}`) || undefined;
  const [http, https] = [of('http-proxy'), of('https-proxy')];
  const none = config.list('fetch.no-proxy');
  const environment = proxyFromEnvironment(process.env);
  return new Proxies(
    {
      ...environment,
      ...(http === undefined ? {} : { http }),
      ...(https === undefined ? {} : { https }),
      ...(none.length === 0 ? {} : { none }),
      cache: config.text('fetch.cache'),
    },
    {
      connections: config.count('fetch.connections'),
      headersTimeoutMs: config.seconds('fetch.headers-timeout') * 1000,
      idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
      connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    },
  );
}
