import type { ServerId } from '../../soif/index.ts';

/** A publisher and the URLs that it may publish. */
export interface Publisher {
  /** The name of a write token, or `ID.KEY` of a server that signs. */
  readonly name: string;
  /** The server that signs, where it is one. */
  readonly server?: { readonly id: ServerId; readonly key: string };
  readonly prefixes: readonly string[];
  readonly isBlocked: boolean;
}

/** A word in the place of a prefix: nothing of this publisher is taken. */
const blocked = 'blocked';

const serverPattern = /^([\w-]{22})\.([\w-]{43})$/;

/** A URL prefix in its normal form; undefined for what is none. */
function prefixOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '')
    return undefined;
  return url.href;
}

/** Whether a URL is below a prefix; `https://a/docs` holds `https://a/docs/x` and not `https://a/docs-x`. */
export function isBelow(url: string, prefix: string): boolean {
  // In its normal form, or `docs/../private` would be below `docs/`.
  const href = URL.parse(url)?.href;
  if (href === undefined || !href.startsWith(prefix)) return false;
  return /[/:]$/.test(prefix) || href.length === prefix.length || '/?#'.includes(href[prefix.length] ?? '');
}

/**
 * Publishers out of lines such as `https://harbour.example/ harbour-office`: a URL prefix, and the name of a write
 * token or `ID.KEY` of a server. Several lines give one publisher several prefixes. Throws TypeError for a wrong line.
 */
export function readPublishers(lines: readonly string[]): readonly Publisher[] {
  const found = new Map<string, { prefixes: string[]; isBlocked: boolean }>();
  for (const line of lines) {
    const [, place = '', name = ''] = /^(\S+)\s+(\S.*)$/.exec(line.trim()) ?? [];
    const prefix = place === blocked ? undefined : prefixOf(place);
    if (name === '' || (prefix === undefined && place !== blocked))
      throw new TypeError(JSON.stringify(line.slice(0, 200)));
    const row = found.get(name) ?? { prefixes: [], isBlocked: false };
    found.set(name, row);
    if (prefix === undefined) row.isBlocked = true;
    else row.prefixes.push(prefix);
  }
  return [...found].map(([name, row]) => {
    const [, id, key] = serverPattern.exec(name) ?? [];
    return { name, ...(id && key && { server: { id: id as ServerId, key } }), ...row };
  });
}
