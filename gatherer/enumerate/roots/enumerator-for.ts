import type {
  Credentials,
  Fetch,
  FtpAccess,
  GopherAccess,
  RobotsPolicy,
  TokenBucket,
} from '../../../fetch/index.ts';
import { type Clock, failure } from '../../../kernel/index.ts';
import type { Enumerator } from '../enumerator.ts';
import { newsPlace, serverUrl } from '../news/news-urls.ts';
import { rootErrors } from '../root-errors.ts';
import type { RootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';

/** Clients and options for roots of all kinds. */
export interface RootServices {
  /** For http(s), with credentials, cookies and mappings as configured. */
  readonly fetch: Fetch;
  readonly ftp: FtpAccess;
  readonly gopher: GopherAccess;
  readonly credentials?: Credentials;
  readonly robots?: RobotsPolicy;
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly concurrency: number;
  /** Whether names that begin with a dot are gathered from git repositories. */
  readonly hidden: boolean;
  /** The server of `news:` URLs (NNTPSERVER). */
  readonly newsServer?: string;
  /** Rate of requests to news servers; no limit when absent. */
  readonly rate?: TokenBucket | undefined;
  /** Makes the enumerator of a web site. */
  readonly web: (root: RootNode, rule: ScopeRule) => Enumerator;
  /** Makes the enumerator of a folder. */
  readonly folder: (root: RootNode, rule: ScopeRule, path: string) => Enumerator;
}

/** One `Fetch` for the schemes of all the clients; each refuses the URLs of the others. */
export function fetchOfAll({ fetch, ftp, gopher }: Pick<RootServices, 'fetch' | 'ftp' | 'gopher'>): Fetch {
  return (request) => {
    if (/^ftp:/i.test(request.url)) return ftp.fetch(request);
    return /^gopher:/i.test(request.url) ? gopher.fetch(request) : fetch(request);
  };
}

interface Parts {
  readonly root: RootNode;
  readonly services: RootServices;
  readonly rule: ScopeRule;
  /** The prefix of the documents' URLs, if it is not the root's own URL. */
  readonly base: string | undefined;
  /** See `localPath`. */
  readonly path: string;
  readonly leaves: RootServices;
}
type Make = (parts: Parts) => Enumerator;

async function programMaker(): Promise<Make> {
  const { ProgramEnumerator } = await import('../programs/program-enumerator.ts');
  return ({ root, services, rule, path, leaves }) => {
    const depth = root.depth ?? 0;
    const getsTask = root.enumeration !== undefined;
    // A page with its links is a web site of limited depth.
    const expand = (url: string) =>
      services.web({ ...root, url, kind: 'web' }, new ScopeRule({ ...root, url, hostMax: 1 }));
    return new ProgramEnumerator({
      ...leaves,
      rule,
      command: root.enumeration ?? [path],
      getsTask,
      ...(depth > 0 && !getsTask && { expand }),
    });
  };
}

const mailOf = ({ services: { maxBytes }, rule, base, path }: Parts) => ({
  path,
  rule,
  maxBytes,
  ...(base !== undefined && { baseUrl: base }),
});

/** How the enumerators of each kind are loaded, and then made. */
const makers: Readonly<Record<RootNode['kind'], () => Promise<Make>>> = {
  web: async () => (parts) => parts.services.web(parts.root, parts.rule),
  folder:
    async () =>
    ({ root, services, rule, path }) =>
      services.folder(root, rule, path),
  program: programMaker,
  feed: async () => {
    const { FeedEnumerator } = await import('../feeds/feed-enumerator.ts');
    return ({ leaves, rule }) => new FeedEnumerator({ ...leaves, rule });
  },
  ftp: async () => {
    const { FtpEnumerator } = await import('../ftp/ftp-enumerator.ts');
    return ({ rule, services: { ftp: client, maxBytes, clock } }) =>
      new FtpEnumerator({ rule, client, maxBytes, clock });
  },
  gopher: async () => {
    const { GopherEnumerator } = await import('../gopher/gopher-enumerator.ts');
    return ({ rule, services: { gopher: client, maxBytes } }) =>
      new GopherEnumerator({ rule, client, maxBytes });
  },
  news: async () => {
    const { NewsEnumerator } = await import('../news/news-enumerator.ts');
    return ({ root, rule, services: { credentials, newsServer, clock, rate } }) => {
      const login = credentials?.login(serverUrl(newsPlace(root.url, newsServer)));
      return new NewsEnumerator({
        rule,
        clock,
        rate,
        ...(login && { login }),
        ...(newsServer && { server: newsServer }),
      });
    };
  },
  mbox: async () => {
    const { MboxEnumerator } = await import('../mail/mbox-enumerator.ts');
    return (parts) => new MboxEnumerator(mailOf(parts));
  },
  maildir: async () => {
    const { MaildirEnumerator } = await import('../mail/maildir-enumerator.ts');
    return (parts) => new MaildirEnumerator(mailOf(parts));
  },
  git: async () => {
    const { GitEnumerator } = await import('../git/git-enumerator.ts');
    return (parts) => {
      const { revision } = parts.root;
      const { clock, hidden } = parts.services;
      return new GitEnumerator({ ...mailOf(parts), clock, hidden, ...(revision && { revision }) });
    };
  },
};

/**
 * Load the enumerator of a root, by its kind or by the program that it names; the result makes it, and throws
 * GATHERER_ROOT_NODE.
 */
export async function enumeratorFor(root: RootNode): Promise<(services: RootServices) => Enumerator> {
  const make = await (root.enumeration === undefined ? makers[root.kind] : programMaker)();
  return (services) => {
    const base = baseOf(root, services.newsServer);
    const rule = new ScopeRule(root, base === undefined ? {} : { base });
    const leaves = { ...services, fetch: fetchOfAll(services) };
    return make({ root, services, rule, base, path: localPath(root), leaves });
  };
}

/** The prefix of the URLs of a root's documents, if it is not the root's own URL. */
function baseOf(root: RootNode, newsServer: string | undefined): string | undefined {
  if (root.kind === 'news') return serverUrl(newsPlace(root.url, newsServer));
  if (root.kind === 'git') return root.baseUrl ?? `git+file://${encodeURI(localPath(root))}/`;
  return root.baseUrl;
}

/** The path of a root on this machine, '' for a remote root. Throws GATHERER_ROOT_NODE. */
export function localPath({ url, kind }: RootNode): string {
  if (!['mbox', 'maildir', 'git', 'folder', 'program'].includes(kind)) return '';
  const { hostname, pathname } = new URL(url);
  const path = decoded(pathname);
  if ((hostname === '' || hostname === 'localhost') && path.startsWith('/') && !path.includes('\0'))
    return path;
  const why = 'it names no path of this machine';
  throw failure(rootErrors.GATHERER_ROOT_NODE, {
    key: url,
    why,
    cure: `Write ${new URL(url).protocol}/ABSOLUTE/PATH.`,
  });
}

/** A path without its escapes; '' when they are invalid. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
