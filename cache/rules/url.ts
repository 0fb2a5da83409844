import { isIPv6 } from 'node:net';

/** The max length of a URL that is cached or forwarded, in bytes. */
export const maxUrlLength = 8192;

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21, gopher: 70 };

const absolute = /^([A-Za-z]+):\/\/([^/?#]*)([^#]*)/;
// Visible ASCII without the backslash, which some servers read as a slash.
const unusable = /[^\x21-\x5b\x5d-\x7e]/;
const plainHost = /^[a-z0-9._-]{1,253}$/;
const authorityParts = /^(\[[0-9A-Fa-f:.]{2,45}\]|[^:[\]@]+)(?::(\d{0,5}))?$/;

/**
 * An absolute URL as a key: scheme and host in lower case, no default port, no fragment, '/' for an empty path (RFC
 * 9110 4.2.3). Path and query stay byte for byte, dots and percent signs included, so that the origin gets exactly the
 * URL of the key. Undefined for other schemes than http, https, ftp and gopher, for more than 8 KiB, and with user
 * information, white space, control or non-ASCII bytes, a backslash or an invalid host or port.
 */
export function normalisedUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || unusable.test(text)) return undefined;
  const found = absolute.exec(text);
  if (found === null) return undefined;
  const scheme = (found[1] ?? '').toLowerCase();
  const authority = normalisedAuthority(scheme, found[2] ?? '');
  if (authority === undefined) return undefined;
  const rest = found[3] ?? '';
  return `${scheme}://${authority}${rest.startsWith('/') ? rest : `/${rest}`}`;
}

/**
 * The effective URL of a request (RFC 9110 7.1): its target when that is absolute, else with scheme and authority
 * before it. Undefined like `normalisedUrl`, and for the targets of CONNECT and of OPTIONS for a whole server.
 */
export function effectiveUrl(
  scheme: 'http' | 'https',
  authority: string,
  target: string,
): string | undefined {
  if (!target.startsWith('/')) return normalisedUrl(target);
  // A character that ends an authority would move it: 'a/b' as Host with '/c' must not become 'http://a/b/c'.
  if (/[/?#]/.test(authority)) return undefined;
  return normalisedUrl(`${scheme}://${authority}${target}`);
}

function normalisedAuthority(scheme: string, authority: string): string | undefined {
  const defaultPort = Object.hasOwn(defaultPorts, scheme) ? defaultPorts[scheme] : undefined;
  const found = authorityParts.exec(authority);
  if (defaultPort === undefined || found === null) return undefined;
  const host = normalisedHost((found[1] ?? '').toLowerCase());
  if (host === undefined) return undefined;
  const port = found[2] === undefined || found[2] === '' ? defaultPort : Number(found[2]);
  if (port < 1 || port > 65535) return undefined;
  return port === defaultPort ? host : `${host}:${port}`;
}

function normalisedHost(host: string): string | undefined {
  if (!host.startsWith('[')) return plainHost.test(host) ? host : undefined;
  // An address has many spellings; URL gives the shortest of RFC 5952.
  return isIPv6(host.slice(1, -1)) ? new URL(`http://${host}/`).hostname : undefined;
}
