import { failure } from '../../kernel/index.ts';
import { rootErrors } from './root-errors.ts';

/** One line of a filter: the first whose pattern matches decides. */
export interface FilterRule {
  readonly allow: boolean;
  readonly pattern: RegExp;
  /** The pattern as configured. */
  readonly text: string;
}

/** The enumerator of a root. */
export type RootKind =
  | 'web'
  | 'feed'
  | 'ftp'
  | 'gopher'
  | 'news'
  | 'mbox'
  | 'maildir'
  | 'git'
  | 'folder'
  | 'program';

/** A root with its limits; an absent option means no limit. */
export interface RootNode {
  readonly url: string;
  readonly kind: RootKind;
  /** Prefix of the documents' URLs, for kinds whose documents have no URLs of their own (mail, git, folders). */
  readonly baseUrl?: string;
  /** Of a git repository; its HEAD when not given. */
  readonly revision?: string;
  /** Max URLs requested in one run. */
  readonly urlMax?: number;
  /** Matched on path and query. */
  readonly urlFilter: readonly FilterRule[];
  /** Max hosts, including the root's; 1 when not given. */
  readonly hostMax: number;
  /** Matched on `name:port`, and on addresses if a pattern could be one. */
  readonly hostFilter: readonly FilterRule[];
  /** Allowed schemes, without colon; the root's own when not given. */
  readonly access: readonly string[];
  /** Min seconds between two requests; a host's own longer delay has priority. */
  readonly delaySeconds?: number;
  /** Max steps from the root. */
  readonly depth?: number;
  readonly search: 'breadth' | 'depth';
  /** An enumerator of the operator's own: program and arguments. */
  readonly enumeration?: readonly string[];
  /** The name of the credentials to use. */
  readonly credentials?: string;
}

const keys = [
  ...['url', 'url-max', 'url-filter', 'host-max', 'host-filter', 'access', 'delay', 'depth', 'search'],
  ...['enumeration', 'credentials', 'base-url', 'revision'],
];

const kinds: ReadonlyMap<string, RootKind> = new Map(
  Object.entries({
    ...{ http: 'web', https: 'web', ftp: 'ftp', gopher: 'gopher', news: 'news', nntp: 'news', nntps: 'news' },
    ...{ file: 'folder', mbox: 'mbox', maildir: 'maildir', git: 'git', program: 'program' },
  }),
);

/** Every scheme that a root may have. */
export const rootSchemes: readonly string[] = [...kinds.keys(), 'feed'];

const maxPattern = 1000;

function fault(key: string, why: string, cure: string) {
  return failure(rootErrors.GATHERER_ROOT_NODE, { key, why, cure });
}

/** Read a configured RootNode: a URL, or a table of options. Throws GATHERER_ROOT_NODE, with `key`. */
export function parseRootNode(value: unknown, key: string): RootNode {
  if (typeof value === 'string') return parseRootNode({ url: value }, key);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault(key, 'it is neither a URL nor a table', 'Write a URL, or url: with options below it.');
  const table = value as Record<string, unknown>;
  for (const name of Object.keys(table))
    if (!keys.includes(name))
      throw fault(`${key}.${name}`, 'there is no such option', `Options: ${keys.join(', ')}.`);
  const { url, kind } = rootUrl(table.url, `${key}.url`);
  const baseUrl = baseOf(table['base-url'], `${key}.base-url`);
  const count = (name: string, min: number) => countOf(table[name], `${key}.${name}`, min);
  const urlMax = count('url-max', 1);
  const depth = count('depth', 0);
  const delaySeconds = secondsOf(table.delay, `${key}.delay`);
  const search = table.search ?? 'breadth';
  if (search !== 'breadth' && search !== 'depth')
    throw fault(
      `${key}.search`,
      'it is neither breadth nor depth',
      'Write search: breadth or search: depth.',
    );
  const enumeration = commandOf(table.enumeration, `${key}.enumeration`);
  const name = (option: string, what: string): string | undefined => {
    const found = table[option];
    if (found === undefined || (typeof found === 'string' && found !== '')) return found;
    throw fault(`${key}.${option}`, 'it is no name', `Write the name of ${what}.`);
  };
  const credentials = name('credentials', 'one of your credentials');
  const revision = name('revision', 'a branch, a tag or a commit');
  return {
    url,
    kind,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(revision !== undefined && { revision }),
    ...(urlMax !== undefined && { urlMax }),
    urlFilter: filterOf(table['url-filter'], `${key}.url-filter`),
    // A program that prints URLs chooses their hosts.
    hostMax: count('host-max', 1) ?? (kind === 'program' ? Number.POSITIVE_INFINITY : 1),
    hostFilter: filterOf(table['host-filter'], `${key}.host-filter`),
    access: accessOf(table.access, `${key}.access`) ?? defaultAccess(url, kind),
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(depth !== undefined && { depth }),
    search,
    ...(enumeration !== undefined && { enumeration }),
    ...(credentials !== undefined && { credentials }),
  };
}

function rootUrl(value: unknown, key: string): { readonly url: string; readonly kind: RootKind } {
  const cure = 'Write an absolute URL, such as https://example.org/ or ftp://example.org/pub/.';
  if (typeof value !== 'string' || value === '') throw fault(key, 'it is missing', cure);
  // Pages offer feeds as feed:https://h/x or feed://h/x.
  const [, inner] = /^feed:(.*)$/s.exec(value) ?? [];
  if (inner !== undefined) {
    const url = inner.startsWith('//') ? `http:${inner}` : inner;
    if (!/^https?:/.test(url))
      throw fault(key, 'it is not a feed on the web', 'Write feed:https://HOST/PATH.');
    return { ...rootUrl(url, key), kind: 'feed' };
  }
  if (!URL.canParse(value))
    throw fault(
      key,
      `${value.slice(0, 200)} is not an absolute URL`,
      value.startsWith('/') ? `For a folder write file://${value}, for mail mbox:${value}.` : cure,
    );
  const { protocol, username, password } = new URL(value);
  if (username || password)
    throw fault(
      key,
      'it contains a user name or password',
      'Put them into credentials, where no summary shows them.',
    );
  const kind = kinds.get(protocol.slice(0, -1));
  if (kind === undefined)
    throw fault(
      key,
      `nothing reads ${protocol}`,
      `Write a URL that begins with one of ${rootSchemes.join(': ')}:.`,
    );
  return { url: value, kind };
}

function defaultAccess(url: string, kind: RootKind): readonly string[] {
  return kind === 'program' ? ['http', 'https', 'ftp', 'gopher'] : [new URL(url).protocol.slice(0, -1)];
}

function baseOf(value: unknown, key: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !URL.canParse(value) || /[?#]/.test(value))
    throw fault(
      key,
      'it is no URL',
      'Write the prefix of the documents’ URLs, such as https://example.org/x/.',
    );
  return value.endsWith('/') ? value : `${value}/`;
}

function countOf(value: unknown, key: string, min: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min)
    throw fault(key, `it is no whole number from ${min}`, 'Write a number, or leave it out for no limit.');
  return value;
}

function secondsOf(value: unknown, key: string): number | undefined {
  if (value === undefined) return undefined;
  const [, digits, unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)\s*(ms|s|m)?$/.exec(String(value)) ?? [];
  if (digits === undefined)
    throw fault(key, 'it is no time', 'Write seconds, or a time such as 500ms, 2s or 1m.');
  return Number(digits) * ({ ms: 0.001, s: 1, m: 60 }[unit] ?? 1);
}

function listOf(value: unknown, key: string, cure: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw fault(key, 'it is no list', cure);
  if (value.length > 10_000) throw fault(key, 'it is too long', 'Write at most 10,000 of them.');
  return value;
}

function filterOf(value: unknown, key: string): readonly FilterRule[] {
  const cure = 'Write a list of `- allow: REGEX` and `- deny: REGEX`; the first that matches decides.';
  return listOf(value, key, cure).map((entry, at) => {
    const here = `${key}[${at}]`;
    const pairs = typeof entry === 'object' && entry !== null ? Object.entries(entry as object) : [];
    const [word, text] = (pairs.length === 1 ? pairs[0] : undefined) ?? [];
    if ((word !== 'allow' && word !== 'deny') || typeof text !== 'string' || text.length > maxPattern)
      throw fault(here, 'it is no rule', cure);
    try {
      return { allow: word === 'allow', pattern: new RegExp(text), text };
    } catch (error) {
      throw fault(
        here,
        (error as Error).message,
        'Correct the regular expression (JavaScript syntax, no slashes).',
      );
    }
  });
}

function accessOf(value: unknown, key: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const cure = `Write a list of schemes: ${[...kinds.keys()].join(', ')}.`;
  // Harvest wrote HTTP|FTP.
  const list = typeof value === 'string' ? value.split('|') : listOf(value, key, cure);
  if (list.length === 0) throw fault(key, 'it is empty', cure);
  return list.map((entry) => {
    const scheme = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
    if (kinds.get(scheme) === undefined)
      throw fault(key, `there is no scheme ${String(entry).slice(0, 40)}`, cure);
    return scheme;
  });
}

function commandOf(value: unknown, key: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const command = typeof value === 'string' ? [value] : value;
  const isWord = (word: unknown): word is string =>
    typeof word === 'string' && word !== '' && !word.includes('\0');
  if (!Array.isArray(command) || command.length === 0 || !command.every(isWord))
    throw fault(key, 'it is no program', 'Write a path, or a list of a path and its arguments.');
  return command;
}
