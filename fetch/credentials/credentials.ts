import { failure } from '../../kernel/index.ts';
import { credentialsErrors } from '../errors.ts';

/** The secret for one URL prefix. */
type Secret =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

interface Entry {
  readonly name: string | undefined;
  /** Origin and path; everything below it. */
  readonly origin: string;
  readonly path: string;
  readonly secret: Secret;
}

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'nntp:', 'nntps:']);
const knownKeys: ReadonlySet<string> = new Set([
  'name',
  'url',
  'user',
  'password',
  'token',
  'password-env',
  'token-env',
]);

/** Secrets by URL prefix; the longest decides. Printing or logging this object shows only the prefixes. */
export class Credentials {
  readonly #entries: readonly Entry[];

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /**
   * Read credentials as configured: a list of `{name?, url, user, password}` or `{name?, url, token}`, secrets also
   * as `password-env` or `token-env`, the name of a variable in `env`. Throws FETCH_CREDENTIALS with key and
   * remedy.
   */
  static parse(value: unknown, env: Readonly<Record<string, string | undefined>> = {}): Credentials {
    if (value === undefined || value === null) return new Credentials([]);
    if (!Array.isArray(value))
      throw fault('credentials', 'it is not a list', 'Write one `- url: ...` for each place.');
    return new Credentials(value.map((entry: unknown, at) => entryOf(entry, `credentials[${at}]`, env)));
  }

  /** Only the entries of this name, and those without a name. Throws FETCH_CREDENTIALS for an unknown name. */
  only(name: string): Credentials {
    const names = this.#entries.flatMap((entry) => entry.name ?? []);
    if (!names.includes(name))
      throw fault(
        'credentials',
        `no entry has the name ${name}`,
        `Known names: ${names.join(', ') || 'none'}.`,
      );
    return new Credentials(this.#entries.filter((entry) => entry.name === undefined || entry.name === name));
  }

  /** The prefixes without their secrets: for `garner config` and `garner doctor`. */
  get prefixes(): readonly string[] {
    return this.#entries.map(({ origin, path }) => origin + path);
  }

  /** Prefixes to which a secret travels unencrypted. */
  get unprotected(): readonly string[] {
    return this.prefixes.filter((prefix) => !/^(https|nntps):/.test(prefix));
  }

  /** The Authorization field for a request to exactly this URL (RFC 7617, RFC 6750), or undefined. */
  header(url: string): string | undefined {
    const secret = this.#for(url);
    if (secret === undefined || !/^https?:/.test(url)) return undefined;
    if (secret.kind === 'bearer') return `Bearer ${secret.token}`;
    return `Basic ${Buffer.from(`${secret.user}:${secret.password}`, 'utf8').toString('base64')}`;
  }

  /** User and password for a URL of a protocol that logs in, or undefined. */
  login(url: string): { readonly user: string; readonly password: string } | undefined {
    const secret = this.#for(url);
    return secret?.kind === 'basic' ? { user: secret.user, password: secret.password } : undefined;
  }

  toJSON(): readonly string[] {
    return this.prefixes;
  }

  toString(): string {
    return `Credentials(${this.prefixes.join(', ')})`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  #for(url: string): Secret | undefined {
    if (!URL.canParse(url)) return undefined;
    const target = new URL(url);
    const origin = originOf(target);
    let best: Entry | undefined;
    for (const entry of this.#entries)
      if (entry.origin === origin && below(target.pathname, entry.path))
        if (best === undefined || entry.path.length > best.path.length) best = entry;
    return best?.secret;
  }
}

const defaultPorts: Readonly<Record<string, string>> = { 'ftp:': '21', 'nntp:': '119', 'nntps:': '563' };

/** Scheme, host and port; the URL class gives no origin for most schemes. */
function originOf({ protocol, hostname, port }: URL): string {
  const shown = port === '' || port === defaultPorts[protocol] ? '' : `:${port}`;
  return `${protocol}//${hostname.toLowerCase()}${shown}`;
}

function below(pathname: string, prefix: string): boolean {
  if (!pathname.startsWith(prefix)) return false;
  return prefix.endsWith('/') || pathname.length === prefix.length || pathname[prefix.length] === '/';
}

function fault(key: string, why: string, cure: string) {
  return failure(credentialsErrors.FETCH_CREDENTIALS, { key, why, cure });
}

function entryOf(value: unknown, key: string, env: Readonly<Record<string, string | undefined>>): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault(key, 'it is not a table', 'Give url, and user with password or token.');
  const table = value as Record<string, unknown>;
  for (const name of Object.keys(table))
    if (!knownKeys.has(name))
      throw fault(`${key}.${name}`, 'it is unknown', `Known: ${[...knownKeys].join(', ')}.`);
  const text = (name: string): string | undefined => {
    const found = table[name];
    if (found === undefined) return undefined;
    if (typeof found !== 'string' || found === '')
      throw fault(`${key}.${name}`, 'it is not a text', 'Write it in quotes.');
    // With a line break a secret could write header fields.
    if (/[\0\r\n]/.test(found))
      throw fault(`${key}.${name}`, 'it holds a line break', 'Remove the line break.');
    return found;
  };
  const secret = (name: string): string | undefined => {
    const variable = text(`${name}-env`);
    if (variable === undefined) return text(name);
    const found = env[variable];
    if (!found || /[\0\r\n]/.test(found))
      throw fault(
        `${key}.${name}-env`,
        `the variable ${variable} is not set`,
        `Set ${variable}, or give ${name}.`,
      );
    return found;
  };
  const { origin, path } = prefixOf(text('url'), `${key}.url`);
  const user = text('user');
  const password = secret('password');
  const token = secret('token');
  const name = text('name');
  if (token !== undefined && user === undefined && password === undefined)
    return { name, origin, path, secret: { kind: 'bearer', token } };
  if (token !== undefined || user === undefined || password === undefined)
    throw fault(
      key,
      'it needs either user and password or a token',
      'Give user and password, or only token.',
    );
  if (user.includes(':') && /^http/.test(origin))
    throw fault(
      `${key}.user`,
      'a user name for HTTP must not contain a colon',
      'RFC 7617 forbids it; use another user.',
    );
  return { name, origin, path, secret: { kind: 'basic', user, password } };
}

function prefixOf(text: string | undefined, key: string): { readonly origin: string; readonly path: string } {
  const cure =
    'Give the URL prefix they are for, such as https://example.org/private/, without user or password.';
  if (text === undefined) throw fault(key, 'it is missing', cure);
  if (!URL.canParse(text)) throw fault(key, 'it is not a URL', cure);
  const url = new URL(text);
  if (!schemes.has(url.protocol)) throw fault(key, `${url.protocol} has no credentials`, cure);
  if (url.username || url.password) throw fault(key, 'it holds a user name or password itself', cure);
  return { origin: originOf(url), path: url.pathname === '' ? '/' : url.pathname };
}
