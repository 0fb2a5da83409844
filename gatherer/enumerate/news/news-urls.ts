import { failure } from '../../../kernel/index.ts';
import { rootErrors } from '../root-errors.ts';

/** The place of a news root: server, protocol and groups. */
export interface NewsPlace {
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
  /** A group, a pattern such as `comp.lang.*` (RFC 3977 4), or `*` for all. */
  readonly groups: string;
}

/** Read nntp(s)://host[:port]/group, or `news:group` at `server` (RFC 5538). Throws GATHERER_ROOT_NODE. */
export function newsPlace(url: string, server?: string): NewsPlace {
  const { protocol, hostname, port, pathname } = new URL(url);
  const tls = protocol === 'nntps:';
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare !== '')
    return { hostname: bare, port: Number(port || (tls ? 563 : 119)), tls, groups: path || '*' };
  const [, host = '', given = '119'] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(server ?? '') ?? [];
  if (host === '')
    throw failure(rootErrors.GATHERER_ROOT_NODE, {
      key: url,
      why: 'it names no server',
      cure: 'Write nntp://SERVER/GROUP, or set NNTPSERVER.',
    });
  return { hostname: host.toLowerCase(), port: Number(given), tls: false, groups: path || '*' };
}

/** The URL of a server. */
export function serverUrl({ hostname, port, tls }: NewsPlace): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const shown = port === (tls ? 563 : 119) ? '' : `:${port}`;
  return `${tls ? 'nntps' : 'nntp'}://${host}${shown}/`;
}

/** The URL of an article, nntp://host/group/number, which news clients can open. */
export function articleUrl(place: NewsPlace, group: string, number: number): string {
  return `${groupUrl(place, group)}${number}`;
}

/** The prefix of the URLs of all articles of a group. */
export function groupUrl(place: NewsPlace, group: string): string {
  return `${serverUrl(place)}${encodeURIComponent(group)}/`;
}
