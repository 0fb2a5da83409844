import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ScopeVerdict } from './enumerator.ts';
import type { FilterRule, RootNode } from './root-node.ts';

/** Why a URL is left out of a run; `limit`: an operator's limit, which reports emphasise. */
export interface Refusal {
  readonly rule: string;
  readonly limit?: true;
}

export interface ScopeRuleOptions {
  /** Addresses of a host; the machine's resolver when absent. Called only if a host filter could mean addresses. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Prefix of the documents' URLs, if it is not the root's: its scheme and host belong to the root. */
  readonly base?: string;
}

const rememberedHosts = 10_000;

async function systemResolve(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Whether a pattern could mean an address: its only letters are hexadecimal digits and escapes. */
function couldBeAddress({ text }: FilterRule): boolean {
  return !/[g-z]/i.test(text.replace(/\\[dDbBsSwW]/g, ''));
}

function defaultPort(protocol: string): string {
  const ports: Readonly<Record<string, string>> = {
    ...{ 'https:': '443', 'ftp:': '21', 'gopher:': '70', 'nntp:': '119', 'nntps:': '563' },
  };
  return ports[protocol] ?? '80';
}

/** Applies a RootNode's options to a URL: access, host filter and URL filter, in this order. */
export class ScopeRule {
  readonly root: RootNode;
  readonly #resolve: (hostname: string) => Promise<readonly string[]>;
  readonly #base: URL;
  readonly #byAddress: boolean;
  readonly #addresses = new Map<string, Promise<readonly string[]>>();

  constructor(root: RootNode, options: ScopeRuleOptions = {}) {
    this.root = root;
    this.#resolve = options.resolve ?? systemResolve;
    this.#base = new URL(options.base ?? root.url);
    this.#byAddress = root.hostFilter.some(couldBeAddress);
  }

  /** The root's own host. */
  get host(): string {
    return this.#base.hostname.toLowerCase();
  }

  /** A digest of the options that decide what belongs to the root. */
  get digest(): string {
    const { urlMax, urlFilter, hostMax, hostFilter, access, depth, search } = this.root;
    // A pattern itself would be written as {}.
    const filters = [urlFilter, hostFilter].map((rules) => rules.map(({ allow, text }) => [allow, text]));
    const options = JSON.stringify([urlMax, String(hostMax), access, depth, search, filters]);
    return createHash('sha256').update(options).digest('base64url').slice(0, 10);
  }

  /** The verdict by the URL's spelling alone; only `verdict` applies host filters by address. */
  spelled(url: string): ScopeVerdict {
    const target = new URL(url);
    const refused = this.#accessVerdict(url, target) ?? this.#hostVerdict(url, target, undefined);
    return refused ?? this.pathVerdict(url);
  }

  /** Whether a URL belongs to the root and which option decides, apart from host counts and limits of a run. */
  async verdict(url: string): Promise<ScopeVerdict> {
    if (!URL.canParse(url)) return { url, included: false, rule: 'it is not an absolute URL' };
    const target = new URL(url);
    const refused = this.#accessVerdict(url, target);
    if (refused) return refused;
    const addresses = this.#byAddress && !this.#isOwn(target) ? await this.#addressesOf(target.hostname) : [];
    return this.#hostVerdict(url, target, addresses) ?? this.pathVerdict(url);
  }

  /** The URL filter's verdict on a URL whose host belongs to the root. */
  pathVerdict(url: string): ScopeVerdict {
    const { pathname, search } = new URL(url);
    const { urlFilter } = this.root;
    const at = urlFilter.findIndex(({ pattern }) => pattern.test(pathname + search));
    if (at < 0)
      return { url, included: true, rule: urlFilter.length > 0 ? 'no url-filter matches' : 'no url-filter' };
    return { url, included: urlFilter[at]?.allow ?? true, rule: filterName('url-filter', at, urlFilter[at]) };
  }

  /** The counts of one run. */
  begin(): ScopeRun {
    return new ScopeRun(this);
  }

  /** Whether a URL is on the root's own host, which always belongs to the root. */
  #isOwn({ hostname }: URL): boolean {
    return hostname.toLowerCase() === this.host;
  }

  #accessVerdict(url: string, { protocol }: URL): ScopeVerdict | undefined {
    const { access } = this.root;
    if (access.includes(protocol.slice(0, -1)) || protocol === this.#base.protocol) return undefined;
    return { url, included: false, rule: `access: only ${access.join(', ')}` };
  }

  /** The verdict that leaves a host out; undefined when the host is allowed, or may be: addresses unknown. */
  #hostVerdict(url: string, target: URL, addresses: readonly string[] | undefined): ScopeVerdict | undefined {
    const { hostFilter, hostMax } = this.root;
    if (this.#isOwn(target)) return undefined;
    if (hostMax === 1) return { url, included: false, rule: `host-max 1: only ${this.host}` };
    const { hostname, port, protocol } = target;
    const name = `${hostname.toLowerCase()}:${port || defaultPort(protocol)}`;
    for (const [at, rule] of hostFilter.entries()) {
      const byAddress = couldBeAddress(rule);
      const subjects = byAddress ? [name, ...(addresses ?? [])] : [name];
      const matches = subjects.some((subject) => rule.pattern.test(subject));
      if (matches && rule.allow) return undefined;
      if (matches) return { url, included: false, rule: filterName('host-filter', at, rule) };
      // A rule about unknown addresses has priority over the later rules.
      if (byAddress && addresses === undefined) return undefined;
    }
    return undefined;
  }

  #addressesOf(hostname: string): Promise<readonly string[]> {
    const host = hostname.toLowerCase();
    const bare = host.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0) return Promise.resolve([bare]);
    let known = this.#addresses.get(host);
    if (known === undefined) {
      if (this.#addresses.size >= rememberedHosts) this.#addresses.clear();
      // A name without an address is decided by its spelling; a request to it fails anyway.
      known = this.#resolve(host).catch(() => []);
      this.#addresses.set(host, known);
    }
    return known;
  }
}

function filterName(key: string, at: number, rule: FilterRule | undefined): string {
  return `${key} ${at + 1}: ${rule?.allow ? 'allow' : 'deny'} ${rule?.text ?? ''}`;
}

/** Counts hosts and URLs of one run over a root. */
export class ScopeRun {
  readonly #rule: ScopeRule;
  readonly #hosts: Set<string>;
  #urls = 0;

  constructor(rule: ScopeRule) {
    this.#rule = rule;
    this.#hosts = new Set([rule.host]);
  }

  /** Count a URL, or return why it is left out. `depth`: steps from the root. */
  async admit(url: string, depth: number): Promise<Refusal | undefined> {
    const { urlMax, hostMax, depth: maxDepth } = this.#rule.root;
    const { included, rule } = await this.#rule.verdict(url);
    if (!included) return { rule };
    if (maxDepth !== undefined && depth > maxDepth)
      return { rule: depthRule(maxDepth, 'depth'), limit: true };
    const host = new URL(url).hostname.toLowerCase();
    if (!this.#hosts.has(host) && this.#hosts.size >= hostMax)
      return { rule: `no more than ${hostMax} hosts (host-max)`, limit: true };
    if (urlMax !== undefined && this.#urls >= urlMax)
      return { rule: urlsRule(urlMax, 'url-max'), limit: true };
    this.#hosts.add(host);
    this.#urls += 1;
    return undefined;
  }

  /** Why a folder or menu of this depth may not be entered, or undefined; not counted. */
  enters(depth: number): Refusal | undefined {
    const { depth: maxDepth } = this.#rule.root;
    return maxDepth !== undefined && depth > maxDepth
      ? { rule: depthRule(maxDepth, 'depth'), limit: true }
      : undefined;
  }
}

/** The rule, for reports, that leaves out URLs beyond the max of a run, set by `setting`. */
export function urlsRule(maxUrls: number, setting = 'gatherer.max-urls'): string {
  return `no more than ${maxUrls} URLs (${setting})`;
}

/** The rule, for reports, that leaves out documents too deep: links of a site, steps below a folder. */
export function depthRule(maxDepth: number, setting = 'gatherer.max-depth'): string {
  return `no more than ${maxDepth} steps from the root (${setting})`;
}
