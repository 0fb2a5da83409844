/** A rule of a robots.txt group, as written and as compared. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The pattern as written. */
  readonly pattern: string;
  /** 1 for the first line of the file. */
  readonly line: number;
}

/** The rules of a robots.txt for one crawler. */
export interface RobotsRules {
  /** The `User-agent` line that was chosen, or undefined when none applies. */
  readonly agent: string | undefined;
  /** Seconds between requests that the group demands (not part of RFC 9309). */
  readonly crawlDelaySeconds: number | undefined;
  /** URLs of all `Sitemap` lines of all groups, as written. */
  readonly sitemaps: readonly string[];
  /** The rule that decides about a path with query (as in `url.pathname + url.search`), or undefined. */
  decide(path: string): RobotsRule | undefined;
}

/** Max bytes that are read of a robots.txt (RFC 9309 2.5: at least 500 KiB). */
export const robotsMaxBytes = 500 * 1024;

// Max sitemaps of a file; more would be an attack on the reader.
const maxSitemaps = 1000;

const encoder = new TextEncoder();
const unreserved = /[A-Za-z0-9\-._~]/;
const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** Everything outside printable ASCII percent-encoded, escapes in one spelling (RFC 9309 2.2.2). */
function canonical(text: string): string {
  const ascii = text.replace(/[^\x21-\x7e]+/g, (run) => Array.from(encoder.encode(run), hex).join(''));
  const spelled = ascii.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => {
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(char) ? char : `%${digits.toUpperCase()}`;
  });
  // In a query, `:` and `/` mean the same escaped or not; in a path %2F does not separate.
  const query = spelled.indexOf('?');
  if (query < 0) return spelled;
  return spelled.slice(0, query) + spelled.slice(query).replaceAll('%2F', '/').replaceAll('%3A', ':');
}

/** A pattern ready for comparison: the pieces between its wildcards. */
interface Matcher extends RobotsRule {
  readonly pieces: readonly string[];
  readonly anchored: boolean;
  /** Octets of the pattern: the longest match wins. */
  readonly weight: number;
}

function matcher(rule: RobotsRule): Matcher {
  const anchored = rule.pattern.endsWith('$');
  const body = anchored ? rule.pattern.slice(0, -1) : rule.pattern;
  // Only a final `$` is special; elsewhere it is itself, and a URL's own `$` is compared as %24.
  const text = canonical(body).replaceAll('$', '%24');
  return { ...rule, pieces: text.split(/\*+/), anchored, weight: text.length + (anchored ? 1 : 0) };
}

function matches({ pieces, anchored }: Matcher, path: string): boolean {
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  const last = rest.pop() as string;
  let at = first.length;
  // The leftmost place for each piece leaves the most room for the others.
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  if (!anchored) return path.indexOf(last, at) >= 0;
  return path.length - last.length >= at && path.endsWith(last);
}

interface Group {
  readonly agents: string[];
  readonly rules: Matcher[];
  crawlDelay: number | undefined;
}

function linesOf(bytes: Uint8Array): string[] {
  const cut = bytes.length > robotsMaxBytes;
  const lines = new TextDecoder('utf-8').decode(bytes.subarray(0, robotsMaxBytes)).split(/\r\n|\r|\n/);
  // A line cut in two would be a different rule.
  return cut ? lines.slice(0, -1) : lines;
}

/** Product token of a `User-agent` value: letters, `-` and `_`, or `*`. */
function agentToken(value: string): string {
  if (/^\*(\s|$)/.test(value)) return '*';
  return /^[A-Za-z_-]*/.exec(value)?.[0].toLowerCase() ?? '';
}

/**
 * Read a robots.txt (RFC 9309) for the crawler named `token`. Any bytes are accepted: a line that is not a record
 * is skipped. Groups for the same crawler are merged. A group by name hides the `*` groups. Among the rules that
 * match a path the longest wins, and Allow wins a tie.
 */
export function parseRobots(bytes: Uint8Array, token: string): RobotsRules {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let naming = false;
  linesOf(bytes).forEach((text, index) => {
    const record = /^\s*([A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(text.replace(/#.*$/, ''));
    if (!record) return;
    const key = (record[1] as string).toLowerCase();
    const value = record[2] as string;
    if (key === 'user-agent') {
      if (!group || !naming) {
        group = { agents: [], rules: [], crawlDelay: undefined };
        groups.push(group);
      }
      naming = true;
      group.agents.push(agentToken(value));
    } else if (key === 'allow' || key === 'disallow') {
      naming = false;
      // An empty pattern matches nothing; so does one that could never begin a path.
      if (group && /^[/*]/.test(value))
        group.rules.push(matcher({ allow: key === 'allow', pattern: value, line: index + 1 }));
    } else if (key === 'crawl-delay') {
      if (group && /^\d{1,6}(\.\d{1,6})?$/.test(value)) group.crawlDelay ??= Number(value);
    } else if (key === 'sitemap' && value !== '' && sitemaps.length < maxSitemaps) sitemaps.push(value);
  });
  const wanted = token.toLowerCase();
  const named = groups.filter((one) => one.agents.includes(wanted));
  const chosen = named.length > 0 ? named : groups.filter((one) => one.agents.includes('*'));
  // Heaviest first, Allow before Disallow: the first that matches decides.
  const rules = chosen
    .flatMap((one) => one.rules)
    .sort((a, b) => b.weight - a.weight || Number(b.allow) - Number(a.allow));
  return {
    agent: chosen.length === 0 ? undefined : named.length > 0 ? token : '*',
    crawlDelaySeconds: chosen.find((one) => one.crawlDelay !== undefined)?.crawlDelay,
    sitemaps,
    decide: (path) => {
      const compared = canonical(path).replaceAll('*', '%2A').replaceAll('$', '%24');
      const rule = rules.find((one) => matches(one, compared));
      return rule && { allow: rule.allow, pattern: rule.pattern, line: rule.line };
    },
  };
}
