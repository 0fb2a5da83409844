import { failure } from '../../kernel/index.ts';
import { unescapedBytes } from '../../readers/bytes/index.ts';
import { fetchErrors, withoutUser } from '../errors.ts';

/** The place that an ftp: URL names (RFC 1738 3.2). Paths are the server's bytes, one character each. */
export interface FtpPlace {
  readonly hostname: string;
  readonly port: number;
  /** From the folder where a login begins, or from the root when it begins with `/`; '' is that folder itself. */
  readonly path: string;
}

// No semicolon: `;type=a` behind a name would be read as the transfer's type.
const unreserved = /[A-Za-z0-9\-._~!$&'()+,=:@]/;

/** A file name as the server wrote it, as one segment of a URL's path: every odd byte as %XX. */
export function ftpSegment(name: string): string {
  let text = '';
  for (const char of name)
    text += unreserved.test(char)
      ? char
      : `%${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}

/** The readable name of a file: its bytes as UTF-8 where they are valid, else as Latin-1. */
export function ftpName(name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1'));
  } catch {
    return name;
  }
}

/** Read an ftp: URL. Throws FETCH_BAD_URL for a user name, an upward path or characters of no command. */
export function ftpPlace(url: string): FtpPlace {
  const fault = (why: string) =>
    failure(fetchErrors.FETCH_BAD_URL, { url: withoutUser(url).slice(0, 200), why });
  if (!URL.canParse(url)) throw fault('it is not an absolute URL');
  const { protocol, username, password, hostname, port, pathname } = new URL(url);
  if (protocol !== 'ftp:') throw fault(`this client does not speak ${protocol}`);
  // Passwords in URLs end up in logs and results.
  if (username || password) throw fault('it holds a user name or password');
  const bare = pathname.replace(/;type=[aid]$/i, '').slice(1);
  const segments = bare.split('/').map((segment) => unescapedBytes(segment, '%'));
  for (const [at, segment] of segments.entries()) {
    if (segment === '.' || segment === '..') throw fault('its path leads upwards');
    if (/[\0\r\n]/.test(segment)) throw fault('its path holds a line break');
    // Only a first segment of %2F means the root of the server.
    if (segment.includes('/') && !(at === 0 && segment.lastIndexOf('/') === 0))
      throw fault('a name in it holds a slash');
  }
  return {
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 21),
    path: segments.join('/'),
  };
}
