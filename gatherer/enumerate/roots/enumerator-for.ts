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
import { FeedEnumerator } from '../feeds/feed-enumerator.ts';
import { FtpEnumerator } from '../ftp/ftp-enumerator.ts';
import { GitEnumerator } from '../git/git-enumerator.ts';
import { GopherEnumerator } from '../gopher/gopher-enumerator.ts';
import { MaildirEnumerator } from '../mail/maildir-enumerator.ts';
import { MboxEnumerator } from '../mail/mbox-enumerator.ts';
import { NewsEnumerator } from '../news/news-enumerator.ts';
import { newsPlace, serverUrl } from '../news/news-urls.ts';
import { ProgramEnumerator } from '../programs/program-enumerator.ts';
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

/** The enumerator of a root, by its kind or by the program that it names. Throws GATHERER_ROOT_NODE. */
export function enumeratorFor(root: RootNode, services: RootServices): Enumerator {
  const { ftp, gopher, credentials, clock, maxBytes, web, hidden, newsServer, rate } = services;
  const base = baseOf(root, newsServer);
  const rule = new ScopeRule(root, base === undefined ? {} : { base });
  const leaves = { ...services, fetch: fetchOfAll(services) };
  const mail = { path: localPath(root), rule, maxBytes, ...(base !== undefined && { baseUrl: base }) };
  const depth = root.depth ?? 0;
  const program = (command: readonly string[], getsTask: boolean) => {
    // A page with its links is a web site of limited depth.
    const expand = (url: string) =>
      web({ ...root, url, kind: 'web' }, new ScopeRule({ ...root, url, hostMax: 1 }));
    return new ProgramEnumerator({
      ...leaves,
      rule,
      command,
      getsTask,
      ...(depth > 0 && !getsTask && { expand }),
    });
  };
  if (root.enumeration !== undefined) return program(root.enumeration, true);
  switch (root.kind) {
    case 'web':
      return web(root, rule);
    case 'feed':
      return new FeedEnumerator({ ...leaves, rule });
    case 'ftp':
      return new FtpEnumerator({ rule, client: ftp, maxBytes, clock });
    case 'gopher':
      return new GopherEnumerator({ rule, client: gopher, maxBytes });
    case 'news': {
      const login = credentials?.login(serverUrl(newsPlace(root.url, newsServer)));
      return new NewsEnumerator({
        rule,
        clock,
        rate,
        ...(login && { login }),
        ...(newsServer && { server: newsServer }),
      });
    }
    case 'mbox':
      return new MboxEnumerator(mail);
    case 'maildir':
      return new MaildirEnumerator(mail);
    case 'git':
      return new GitEnumerator({ ...mail, clock, hidden, ...(root.revision && { revision: root.revision }) });
    case 'folder':
      return services.folder(root, rule, localPath(root));
    case 'program':
      return program([localPath(root)], false);
  }
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
