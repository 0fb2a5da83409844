import { type Dispatcher, ProxyAgent } from 'undici';
import { failure } from '../../kernel/index.ts';
import { isLoopbackHost } from '../client/index.ts';
import { credentialsErrors, faultOf } from '../errors.ts';
import { type LinkLimits, ObjectCacheLink } from './object-cache-link.ts';

/** The configured proxies and the URLs they are for. */
export interface ProxySettings {
  /** For http: URLs. */
  readonly http?: string;
  /** For https: URLs, by CONNECT. */
  readonly https?: string;
  /** Hosts reached directly: `example.org` and all its hosts, `.example.org`, `host:port`, an address, or `*`. */
  readonly none?: readonly string[];
  /** Whether this machine itself is reached through a proxy too. */
  readonly loopback?: boolean;
  /** An object cache for http:, https:, ftp: and gopher: URLs, in place of the proxies: `host:port` or a URL. */
  readonly cache?: string;
}

/** The proxies of http_proxy, https_proxy, all_proxy and no_proxy; upper case too except http_proxy. */
export function proxyFromEnvironment(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const of = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  const all = of('all_proxy');
  // A CGI program's HTTP_PROXY is a header that any client may send.
  const http = env.http_proxy || (env.REQUEST_METHOD === undefined ? env.HTTP_PROXY : undefined) || all;
  const https = of('https_proxy') ?? all;
  const none = of('no_proxy')
    ?.split(/[\s,]+/)
    .filter((host) => host !== '');
  return { ...(http && { http }), ...(https && { https }), ...(none && { none }) };
}

/** Connection limits that a proxy's agent shares with direct ones. */
export type ProxyConnections = LinkLimits;

const usualPorts: Readonly<Record<string, string>> = { 'https:': '443', 'ftp:': '21', 'gopher:': '70' };

/** A client's proxies. They resolve names, so the guard sees only literal addresses; loopback goes direct. */
export class Proxies implements AsyncDisposable {
  readonly #settings: { readonly http: URL | undefined; readonly https: URL | undefined };
  readonly #cache: ObjectCacheLink | undefined;
  readonly #none: readonly string[];
  readonly #loopback: boolean;
  readonly #connections: ProxyConnections;
  readonly #agents = new Map<string, ProxyAgent>();

  /** Throws FETCH_PROXY naming the key. */
  constructor(settings: ProxySettings, connections: ProxyConnections) {
    const cache = proxyUrl(settings.cache, 'fetch.cache');
    if (cache && (cache.username || cache.password))
      throw failure(credentialsErrors.FETCH_PROXY, { key: 'fetch.cache', why: 'a cache takes no user name' });
    this.#cache = cache && new ObjectCacheLink(cache, connections);
    this.#settings = {
      http: cache ?? proxyUrl(settings.http, 'fetch.http-proxy'),
      https: cache ?? proxyUrl(settings.https, 'fetch.https-proxy'),
    };
    this.#none = (settings.none ?? []).map((host) => host.toLowerCase());
    this.#loopback = settings.loopback ?? false;
    this.#connections = connections;
  }

  /** Whether a URL is requested directly. */
  isDirect(url: URL): boolean {
    const proxy = url.protocol === 'https:' ? this.#settings.https : this.#settings.http;
    // A local name means another machine to a cache elsewhere.
    const reachesUs = this.#loopback || this.#cache?.isLocal === true;
    if (proxy === undefined || (!reachesUs && isLoopbackHost(url.hostname))) return true;
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
    const port = url.port || (usualPorts[url.protocol] ?? '80');
    return this.#none.some((entry) => {
      const [, name = entry, wanted] = /^(.*?):(\d{1,5})$/.exec(entry) ?? [];
      // An IPv6 address has colons of its own.
      const [plain, needed] = name.includes(':') ? [entry, undefined] : [name, wanted];
      if (needed !== undefined && needed !== port) return false;
      const bare = plain.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1');
      return plain === '*' || host === bare || host.endsWith(`.${bare}`);
    });
  }

  /** The object cache that takes this URL as it is, or undefined. */
  cacheFor(url: URL): ObjectCacheLink | undefined {
    return this.#cache?.takes(url) && !this.isDirect(url) ? this.#cache : undefined;
  }

  /** The dispatcher for a request of this URL, or undefined when no proxy is used. */
  dispatcher(url: URL): Dispatcher | undefined {
    if (this.isDirect(url)) return undefined;
    const proxy = url.protocol === 'https:' ? this.#settings.https : this.#settings.http;
    if (proxy === undefined) return undefined;
    const known = this.#agents.get(proxy.href);
    if (known) return known;
    const { connections, headersTimeoutMs, idleTimeoutMs, connectTimeoutMs } = this.#connections;
    const agent = new ProxyAgent({
      uri: proxy.href,
      // A cache must see the URL: only https goes through a tunnel.
      proxyTunnel: false,
      connections,
      pipelining: 1,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: idleTimeoutMs,
      proxyTls: { timeout: connectTimeoutMs },
      requestTls: { timeout: connectTimeoutMs },
    });
    this.#agents.set(proxy.href, agent);
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    await this.#cache?.[Symbol.asyncDispose]();
  }
}

function proxyUrl(text: string | undefined, key: string): URL | undefined {
  if (text === undefined || text === '') return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  // The text itself is not shown: it may hold a password.
  if (!URL.canParse(url)) throw failure(credentialsErrors.FETCH_PROXY, { key, why: 'it is not a URL' });
  const { protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw failure(credentialsErrors.FETCH_PROXY, { key, why: `${protocol} is not supported` });
  return new URL(url);
}

/** Why a request did not get through its proxy, or undefined when the proxy is not at fault. */
export function proxyFault(error: unknown): string | undefined {
  const { code, why } = faultOf(error);
  const text = error instanceof Error ? error.message : '';
  if (/\(407\)/.test(text)) return 'the proxy requires a user name and password';
  if (/^Proxy response \(\d{3}\)/.test(text)) return `the proxy answers ${/\d{3}/.exec(text)?.[0]}`;
  const connecting = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(code);
  return connecting ? `the proxy cannot be reached: ${why}` : undefined;
}
