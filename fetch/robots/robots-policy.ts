import { type Clock, GarnerError, isGarnerError } from '../../kernel/index.ts';
import { type Fetch, readStart } from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import { parseRobots, type RobotsRules, robotsMaxBytes } from './robots-rules.ts';

/** The answer of robots.txt about one URL. */
export interface RobotsVerdict {
  readonly allowed: boolean;
  /** The deciding rule in readable form: `robots.txt line 3: Disallow: /private/`, `no robots.txt (404)`. */
  readonly rule: string;
  /** The refusal is due to a missing answer from the server, and may change later. */
  readonly temporary: boolean;
  /** The fault that kept robots.txt from being read, where the server gave no answer at all. */
  readonly error?: GarnerError;
  /** Seconds between requests that the site demands. */
  readonly crawlDelaySeconds: number | undefined;
}

/** The policy of every host that was requested so far. */
export interface RobotsPolicy {
  /** Whether this URL may be fetched, and the rule that decided. Rejects only when `signal` aborts. */
  allowed(url: string, signal?: AbortSignal): Promise<RobotsVerdict>;
  /** The absolute URLs in the `Sitemap` lines of the host of `url`. */
  sitemaps(url: string, signal?: AbortSignal): Promise<readonly string[]>;
}

export interface RobotsOptions {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** The product token to find in User-agent lines; `garner` when absent. */
  readonly token?: string;
  /** How long an answer is valid (RFC 9309 2.4: at most a day). */
  readonly maxAgeMs?: number;
  /** How long a refusal without an answer is valid. */
  readonly retryMs?: number;
  /** Hosts remembered; the least recently used one is forgotten first. */
  readonly maxHosts?: number;
}

interface Known {
  readonly rules: RobotsRules | undefined;
  /** Why there are no rules, and the verdict on every URL. */
  readonly without:
    | { readonly allowed: boolean; readonly why: string; readonly error?: GarnerError }
    | undefined;
  readonly until: number;
}

const day = 24 * 3600 * 1000;

// Of a long file the beginning is read (RFC 9309 2.5): its length alone blocks no site.
const maxRobotsLength = Number.MAX_SAFE_INTEGER;

/** robots.txt by RFC 9309, fetched once per origin and day. */
export class RobotsTxt implements RobotsPolicy {
  readonly #options: Required<RobotsOptions>;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<Known>>();

  constructor(options: RobotsOptions) {
    this.#options = {
      token: 'garner',
      maxAgeMs: day,
      retryMs: 5 * 60 * 1000,
      maxHosts: 1000,
      ...options,
    };
  }

  async allowed(url: string, signal?: AbortSignal): Promise<RobotsVerdict> {
    const { origin, pathname, search } = new URL(url);
    const { rules, without } = await this.#of(origin, signal);
    const base = { temporary: false, crawlDelaySeconds: rules?.crawlDelaySeconds };
    if (pathname === '/robots.txt') return { ...base, allowed: true, rule: 'robots.txt itself' };
    if (without) {
      const { allowed, why, ...error } = without;
      return { ...base, allowed, temporary: !allowed, rule: why, ...error };
    }
    const rule = rules?.decide(pathname + search);
    if (!rule) return { ...base, allowed: true, rule: 'no rule of robots.txt matches' };
    const text = `robots.txt line ${rule.line}: ${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`;
    return { ...base, allowed: rule.allow, rule: `${text} (User-agent: ${rules?.agent})` };
  }

  async sitemaps(url: string, signal?: AbortSignal): Promise<readonly string[]> {
    const { origin } = new URL(url);
    const { rules } = await this.#of(origin, signal);
    return (rules?.sitemaps ?? []).flatMap((text) =>
      URL.canParse(text, origin) ? [new URL(text, origin).href] : [],
    );
  }

  async #of(origin: string, signal: AbortSignal | undefined): Promise<Known> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.#known.get(origin);
      if (known && known.until > this.#options.clock.now()) {
        // Used last, forgotten last.
        this.#known.delete(origin);
        this.#known.set(origin, known);
        return known;
      }
      const other = this.#asking.get(origin);
      if (!other) return await this.#learn(origin, known, signal);
      // Another caller has a request in flight; if that one is cancelled, send one.
      await other.catch(() => undefined);
    }
  }

  async #learn(origin: string, before: Known | undefined, signal: AbortSignal | undefined): Promise<Known> {
    const asking = this.#ask(origin, before, signal);
    this.#asking.set(origin, asking);
    try {
      const known = await asking;
      this.#known.delete(origin);
      this.#known.set(origin, known);
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= this.#options.maxHosts) break;
        this.#known.delete(oldest);
      }
      return known;
    } finally {
      this.#asking.delete(origin);
    }
  }

  async #ask(origin: string, before: Known | undefined, signal: AbortSignal | undefined): Promise<Known> {
    const { fetch, clock, token, maxAgeMs, retryMs } = this.#options;
    const unanswered = (why: string, error?: GarnerError): Known => {
      // RFC 9309 2.4: a stored copy is used while the server fails.
      const rules = before?.rules;
      const refused = { allowed: false, why: `robots.txt cannot be read (${why})`, ...(error && { error }) };
      const without = rules ? undefined : refused;
      return { rules, without, until: clock.now() + retryMs };
    };
    try {
      await using response = await fetch({ url: `${origin}/robots.txt`, maxBytes: maxRobotsLength, signal });
      const { status } = response;
      if (status >= 500 || status === 429) return unanswered(`status ${status}`);
      const until = clock.now() + maxAgeMs;
      if (status < 200 || status > 299)
        return { rules: undefined, without: { allowed: true, why: `no robots.txt (${status})` }, until };
      // One byte more than is parsed shows that the file goes on.
      const bytes = await readStart(response, robotsMaxBytes + 1);
      return { rules: parseRobots(bytes, token), without: undefined, until };
    } catch (error) {
      signal?.throwIfAborted();
      // RFC 9309 2.3.1.2: redirects without end count as a missing file.
      if (isGarnerError(error, fetchErrors.FETCH_REDIRECTS))
        return {
          rules: undefined,
          without: { allowed: true, why: 'robots.txt redirects without end' },
          until: clock.now() + maxAgeMs,
        };
      return error instanceof GarnerError ? unanswered(error.code, error) : unanswered(String(error));
    }
  }
}
