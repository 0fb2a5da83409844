import type { Clock } from '../../kernel/index.ts';
import { parseHttpDate } from '../client/index.ts';

export interface CookieJarOptions {
  readonly clock: Clock;
  /** Domains (`example.org`) whose cookies go to all their hosts; any other cookie stays with its host. */
  readonly domains?: readonly string[];
  /** Max cookies of one host or domain, 50 when absent; the oldest is forgotten first. */
  readonly perHost?: number;
  /** Max hosts and domains, 1000 when absent. */
  readonly hosts?: number;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
  /** Clock milliseconds; absent: as long as the jar. */
  readonly until: number | undefined;
}

// RFC 6265 6.1 requires 4096; a longer cookie is no session but a burden.
const maxCookieLength = 4096;
// A Set-Cookie field with more cookies is an attack on the jar.
const maxSetAtOnce = 50;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The cookies of joined Set-Cookie fields; only a comma before `name=` separates, unlike that of a date. */
export function splitSetCookie(field: string): readonly string[] {
  return field.split(/,(?=[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}=)/).slice(0, maxSetAtOnce);
}

/** Cookies by RFC 6265 without public suffixes: each stays with its host and port, or a configured domain. */
export class CookieJar {
  readonly #clock: Clock;
  readonly #domains: ReadonlySet<string>;
  readonly #perHost: number;
  readonly #hosts: number;
  /** By host (`www.example.org`, `h:8080`), or by domain with a dot before it (`.example.org`). */
  readonly #cookies = new Map<string, Map<string, Cookie>>();

  constructor(options: CookieJarOptions) {
    this.#clock = options.clock;
    this.#domains = new Set((options.domains ?? []).map((domain) => domain.toLowerCase().replace(/^\./, '')));
    this.#perHost = options.perHost ?? 50;
    this.#hosts = options.hosts ?? 1000;
  }

  /** Number of cookies. */
  get size(): number {
    let count = 0;
    for (const cookies of this.#cookies.values()) count += cookies.size;
    return count;
  }

  /** Store the cookies that an answer from this URL sets; invalid ones are silently left out (RFC 6265 5.2). */
  take(url: string, setCookie: string | undefined): void {
    if (setCookie === undefined) return;
    for (const text of splitSetCookie(setCookie)) this.#set(new URL(url), text);
  }

  /** The Cookie field for a request to this URL, or undefined when there is none. */
  header(url: string): string | undefined {
    const target = new URL(url);
    const { hostname, pathname, protocol } = target;
    const now = this.#clock.now();
    const found: Cookie[] = [];
    for (const key of [hostKey(target), ...this.#domainsOf(hostname).map((domain) => `.${domain}`)])
      for (const [id, cookie] of this.#cookies.get(key) ?? []) {
        if (cookie.until !== undefined && cookie.until <= now) this.#cookies.get(key)?.delete(id);
        else if (pathMatches(pathname, cookie.path) && (!cookie.secure || protocol === 'https:'))
          found.push(cookie);
      }
    if (found.length === 0) return undefined;
    // Longer paths first (RFC 6265 5.4).
    found.sort((a, b) => b.path.length - a.path.length);
    return found.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** Configured domains that this host belongs to. */
  #domainsOf(hostname: string): readonly string[] {
    return [...this.#domains].filter((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
  }

  #set(target: URL, text: string): void {
    const { hostname, pathname, protocol } = target;
    if (text.length > maxCookieLength) return;
    const [pair = '', ...rest] = text.split(';');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (at < 1 || !token.test(name) || /[^\x21-\x7e]/.test(value.replaceAll(' ', ''))) return;
    const said = attributes(rest);
    const domain = said.get('domain')?.toLowerCase().replace(/^\./, '');
    const shared = domain !== undefined && domain !== '' && domain !== hostname;
    if (shared && !this.#domainsOf(hostname).includes(domain)) return;
    const typed = domain === hostname && this.#domains.has(hostname);
    const path = said.get('path')?.startsWith('/') ? (said.get('path') ?? '/') : defaultPath(pathname);
    const secure = said.has('secure');
    if (secure && protocol !== 'https:') return;
    if (name.startsWith('__Secure-') && !secure) return;
    if (name.startsWith('__Host-') && (!secure || domain !== undefined || said.get('path') !== '/')) return;
    this.#store(shared || typed ? `.${domain}` : hostKey(target), {
      name,
      value,
      path,
      secure,
      until: this.#until(said),
    });
  }

  #until(said: ReadonlyMap<string, string>): number | undefined {
    const age = said.get('max-age');
    if (age !== undefined && /^-?\d{1,10}$/.test(age)) return this.#clock.now() + Number(age) * 1000;
    const expires = parseHttpDate(said.get('expires')?.replaceAll('-', ' '));
    return expires === undefined ? undefined : expires * 1000;
  }

  #store(key: string, cookie: Cookie): void {
    const id = `${cookie.name};${cookie.path}`;
    const cookies = this.#cookies.get(key) ?? new Map<string, Cookie>();
    cookies.delete(id);
    if (cookie.until !== undefined && cookie.until <= this.#clock.now()) return;
    cookies.set(id, cookie);
    for (const oldest of cookies.keys()) {
      if (cookies.size <= this.#perHost) break;
      cookies.delete(oldest);
    }
    this.#cookies.delete(key);
    this.#cookies.set(key, cookies);
    for (const oldest of this.#cookies.keys()) {
      if (this.#cookies.size <= this.#hosts) break;
      this.#cookies.delete(oldest);
    }
  }
}

/** The owner of a cookie: http and https share a host, but a service at another port is a different owner. */
function hostKey({ hostname, port }: URL): string {
  return port === '' ? hostname : `${hostname}:${port}`;
}

function attributes(parts: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of parts.slice(0, 20)) {
    const at = part.indexOf('=');
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase();
    found.set(name, at < 0 ? '' : part.slice(at + 1).trim());
  }
  return found;
}

/** The folder of the request's path (RFC 6265 5.1.4). */
function defaultPath(pathname: string): string {
  const end = pathname.lastIndexOf('/');
  return end <= 0 ? '/' : pathname.slice(0, end);
}

function pathMatches(pathname: string, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith('/') || pathname[path.length] === '/';
}
