import { failure } from '../../kernel/index.ts';
import { unescapedBytes } from '../../readers/bytes/index.ts';
import { fetchErrors, withoutUser } from '../errors.ts';

/** The place that a gopher: URL names (RFC 4266). The selector is the server's bytes, one character each. */
export interface GopherPlace {
  readonly hostname: string;
  readonly port: number;
  /** One character: `0` text, `1` menu, and so on; menu when the URL names none. */
  readonly type: string;
  readonly selector: string;
  /** The search text, where the type is `7` and the URL has one. */
  readonly search?: string | undefined;
}

// RFC 1436 allows 255; servers of today go beyond, but not far.
const maxSelector = 1024;

const searchType = '7';
const unsendable = /[\0\t\r\n]/;

const plain = /[A-Za-z0-9\-._~!$&'()*,;=:@/]/;

/** Read a gopher: URL. Throws FETCH_BAD_URL. */
export function gopherPlace(url: string): GopherPlace {
  const fault = (why: string) =>
    failure(fetchErrors.FETCH_BAD_URL, { url: withoutUser(url).slice(0, 200), why });
  if (!URL.canParse(url)) throw fault('it is not an absolute URL');
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url);
  if (protocol !== 'gopher:') throw fault(`this client does not speak ${protocol}`);
  if (username || password) throw fault('it holds a user name or password');
  const path = `${pathname}${search}`.replace(/^\//, '');
  const text = unescapedBytes(path, '%');
  const type = text[0] ?? '1';
  const sent = text.slice(1);
  // A tab begins a search (RFC 4266 2.2) or a Gopher+ request, a line break a second request.
  const tab = type === searchType ? sent.indexOf('\t') : -1;
  const selector = tab < 0 ? sent : sent.slice(0, tab);
  const wanted = tab < 0 ? undefined : sent.slice(tab + 1);
  if (unsendable.test(selector + (wanted ?? ''))) throw fault('its selector holds a tab or line break');
  if (sent.length > maxSelector) throw fault('its selector is too long');
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 70),
    type,
    selector,
    ...(wanted !== undefined && { search: wanted }),
  };
}

/** The request line for a place, without its end. */
export const gopherLine = ({ selector, search }: GopherPlace): string =>
  search === undefined ? selector : `${selector}\t${search}`;

/** The one spelling of a place's URL, or undefined for a host, selector or search that cannot be in a URL. */
export function gopherUrl(place: GopherPlace): string | undefined {
  const { hostname, port, type, selector, search } = place;
  const line = gopherLine(place);
  if (line.length > maxSelector || unsendable.test(selector + (search ?? ''))) return undefined;
  if (search !== undefined && type !== searchType) return undefined;
  let path = '';
  for (const char of `${type}${line}`)
    path += plain.test(char)
      ? char
      : `%${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const url = `gopher://${host}${port === 70 ? '' : `:${port}`}/${path}`;
  if (!URL.canParse(url)) return undefined;
  // The bare host and a menu without selector are the same place.
  return type === '1' && selector === '' ? url.slice(0, url.lastIndexOf('/') + 1) : url;
}
