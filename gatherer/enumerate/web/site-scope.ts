import { withoutUser } from '../../../fetch/index.ts';
import { failure } from '../../../kernel/index.ts';
import { IgnoredParameters } from '../addresses/ignored-parameters.ts';
import type { ScopeVerdict } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import type { ScopeRule } from '../scope-rule.ts';

/** Max length of a URL, in characters. */
export const maxUrlLength = 8192;

const unreserved = /[A-Za-z0-9\-._~]/;

/** Escapes in one spelling: upper-case digits, and no needless escapes (RFC 3986 6.2.2). */
function spelled(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => {
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(char) ? char : `%${digits.toUpperCase()}`;
  });
}

/**
 * One spelling for each http(s) URL: host in lower case, no default port, dot segments or fragment, `/` for an
 * empty path, escapes in one form (RFC 3986 6.2.2 and 6.2.3). Undefined for any other text.
 */
export function normaliseUrl(link: string, base?: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined;
  const url = new URL(link, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  url.pathname = spelled(url.pathname);
  url.search = spelled(url.search);
  return url.href;
}

/** Decides which URLs belong to a root: by scheme, host, port and folder, and the options of a RootNode. */
export class SiteScope {
  /** The root in normal spelling. */
  readonly root: string;
  readonly origin: string;
  /** Common path prefix of the URLs; `/` for the whole host. */
  readonly prefix: string;
  readonly #rule: ScopeRule | undefined;
  readonly #ignored: IgnoredParameters;

  /**
   * `ignored`: names of parameters that are no part of an address. Throws GATHERER_ROOT_INVALID when the root is no
   * http(s) URL or contains a password.
   */
  constructor(root: string, stayBelow = false, rule?: ScopeRule, ignored: readonly string[] = []) {
    const normal = normaliseUrl(root);
    const url = normal === undefined ? undefined : new URL(normal);
    if (normal === undefined || !url || url.username || url.password)
      throw failure(enumerationErrors.GATHERER_ROOT_INVALID, { url: withoutUser(root).slice(0, 200) });
    this.root = normal;
    this.#rule = rule;
    this.#ignored = new IgnoredParameters(ignored);
    this.origin = url.origin;
    this.prefix = stayBelow ? url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1) : '/';
  }

  /** Whether a link, as found on the page `base`, belongs to the host, in any folder. */
  onSiteVerdict(link: string, base = this.root): ScopeVerdict {
    const whole = normaliseUrl(link, base);
    const url = whole === undefined || whole === this.root ? whole : this.#ignored.strip(whole);
    // User name and password before a host are not repeated in a report.
    const no = (rule: string) => ({ url: withoutUser(url ?? link), included: false, rule });
    if (url === undefined) return no('only http: and https: URLs');
    // A URL with a user name or password does not begin like this.
    if (!url.startsWith(`${this.origin}/`)) return this.#elsewhere(url) ?? no(`same host as ${this.origin}`);
    return { url, included: true, rule: `same host as ${this.origin}` };
  }

  /** The parameters of a link that are no part of its address. */
  ignoredIn(link: string): readonly string[] {
    return this.#ignored.namesIn(link);
  }

  /** Whether a URL belongs to the root, by its spelling alone. */
  verdict(link: string): ScopeVerdict {
    const onSite = this.onSiteVerdict(link);
    return onSite.included ? this.pathVerdict(onSite.url) : onSite;
  }

  /** The same for a URL in normal spelling that is known to be on the host. */
  pathVerdict(url: string): ScopeVerdict {
    if (url.length > maxUrlLength)
      return { url, included: false, rule: `no URL longer than ${maxUrlLength} characters` };
    const filtered = this.#rule?.pathVerdict(url);
    if (filtered && !filtered.included) return filtered;
    const rule = this.prefix === '/' ? `on ${this.origin}` : `below ${this.origin}${this.prefix}`;
    return { url, included: this.below(url), rule };
  }

  /** Whether a URL of the host, in normal spelling, belongs to the root's folder, if the scope is a folder. */
  below(url: string): boolean {
    if (url.startsWith(`${this.origin}/`)) return url.startsWith(this.origin + this.prefix);
    return this.#elsewhere(url)?.included ?? false;
  }

  /** The verdict of the root's options on another host; undefined without such options. */
  #elsewhere(url: string): ScopeVerdict | undefined {
    const { username, password } = new URL(url);
    return username || password ? undefined : this.#rule?.spelled(url);
  }
}
