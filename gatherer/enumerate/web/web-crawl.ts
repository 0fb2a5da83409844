import type { Fetch, RobotsPolicy } from '../../../fetch/index.ts';
import { failure, type GarnerError } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import type { Enumerated, EnumerationMemory, Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import type { ScopeRun } from '../scope-rule.ts';
import { type Reading, readCandidate } from './candidate-reader.ts';
import { CrawlLimits, crawlDelayMs } from './crawl-limits.ts';
import { FetchWindow } from './fetch-window.ts';
import { type Candidate, Frontier } from './frontier.ts';
import { folderOf, IndexDoubles, isFolder } from './index-page-duplicates.ts';
import { pageListsOf } from './page-list-signs.ts';
import { isSilence, robotsFault, rootFault } from './site-failure.ts';
import type { SiteScope } from './site-scope.ts';
import { SiteSeeds } from './site-seeds.ts';
import type { SeedNews } from './sitemap-walk.ts';
import { UrlSet } from './url-set.ts';

export interface WebCrawlOptions {
  readonly scope: SiteScope;
  readonly memory: EnumerationMemory;
  readonly fetch: Fetch;
  readonly linksOf: (document: DocumentInput) => Promise<readonly string[]>;
  readonly robots?: RobotsPolicy;
  readonly sitemaps: boolean;
  readonly pageLists: boolean;
  readonly concurrency: number;
  readonly frontierUrls: number;
  readonly maxUrls: number;
  readonly maxDepth: number;
  readonly maxBytes: number;
  /** The options of the RootNode, counted for this run. */
  readonly rule?: ScopeRun;
  /** Min milliseconds between two requests. */
  readonly delayMs: number;
  /** Whether the newest link is followed first. */
  readonly depthFirst: boolean;
}

/** The reading of one candidate, with its row. */
interface Visit {
  readonly reading: Reading;
  readonly recalled: Remembered | undefined;
}

/** A document's content in this run: read, or unchanged. */
interface Content {
  readonly candidate: Candidate;
  readonly remember: Remembered;
  /** Present when the body was read. */
  readonly document?: DocumentInput;
  /** The same bytes as in the URL's row. */
  readonly same: boolean;
  /** A summary of exactly this content exists under this URL. */
  readonly summarised: boolean;
  /** The URL that it doubled in the last run. */
  readonly doubled: string | undefined;
}

const maxRedirects = 10;

// After this many pages in a row without an answer, the site counts as down or overloaded.
const maxSilence = 20;

/** Bytes of bodies read ahead of the caller. */
const readAheadBytes = 64 * 1024 * 1024;

/** One run of a `WebEnumerator`. */
export class WebCrawl {
  readonly #options: WebCrawlOptions;
  readonly #scope: SiteScope;
  readonly #visited = new UrlSet();
  readonly #frontier: Frontier;
  readonly #doubles = new IndexDoubles<Content>();
  readonly #stop = new AbortController();
  readonly #seeds: SiteSeeds;
  readonly #limits: CrawlLimits;
  #silence = 0;
  /** Whether any document was yielded. */
  #found = false;
  /** The fault of the start page. */
  #rootFault: GarnerError | undefined;
  /** The rule that leaves the start page out. */
  #rootRule: string | undefined;

  constructor(options: WebCrawlOptions) {
    this.#options = options;
    this.#scope = options.scope;
    this.#limits = new CrawlLimits(options);
    this.#frontier = new Frontier(options.frontierUrls, options.depthFirst);
    const met = (url: string) => this.#visited.has(url);
    this.#seeds = new SiteSeeds({ ...options, met, signal: this.#stop.signal });
  }

  /** Yield every URL; see `Enumerator`. Called once. */
  async *run(signal?: AbortSignal): AsyncGenerator<Enumerated> {
    const window = new FetchWindow<Candidate, Visit>({
      read: (candidate) => this.#visit(candidate),
      sizeOf: ({ reading }) => (reading.kind === 'body' ? reading.document.bytes.length : 0),
      concurrency: this.#options.concurrency,
      maxBytes: readAheadBytes,
    });
    const abort = () => this.#stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let known: AsyncIterator<string> | undefined;
    try {
      signal?.throwIfAborted();
      yield* this.#admit({ url: this.#scope.root, depth: 0 });
      for (;;) {
        signal?.throwIfAborted();
        while (window.open && this.#frontier.size > 0) {
          const candidate = await this.#frontier.shift();
          if (candidate) window.begin(candidate);
        }
        if (window.empty) {
          yield* this.#queueSeeds(this.#seeds.fromSitemaps());
          // Last, because the form of the pages' URLs must be known.
          if (this.#frontier.size === 0) yield* this.#queueSeeds(this.#seeds.fromPageLists());
          // A site without its start page may give wrong answers: known pages are not requested.
          if (this.#rootFault === undefined) known ??= this.#options.memory.known?.()[Symbol.asyncIterator]();
          if (this.#frontier.size === 0 && known) yield* this.#recallNext(known);
          if (this.#frontier.size > 0) continue;
          return yield* this.#conclude();
        }
        const next = await window.next();
        if (!next) continue;
        this.#checkSilence(next.task, next.outcome.reading);
        // Only the root's redirects come first: they are nearer to the root than pages of sitemaps.
        if (next.outcome.reading.kind !== 'moved') yield* this.#queueSeeds(this.#seeds.fromSitemaps());
        yield* this.#report(next.task, next.outcome);
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#stop.abort();
      await window.settled();
      await known?.return?.();
      await this.#frontier[Symbol.asyncDispose]();
    }
  }

  /** Report a start page that could not be read: as an error of the whole run, unless other pages were found. */
  *#conclude(): Generator<Enumerated> {
    const { root } = this.#scope;
    const rule = this.#rootRule;
    const error = this.#rootFault;
    if (error !== undefined && this.#found) yield { url: root, depth: 0, kind: 'failed', error, whole: true };
    else if (error !== undefined) throw error;
    else if (rule !== undefined && !this.#found)
      throw failure(enumerationErrors.GATHERER_ROOT_REFUSED, { url: root, rule });
  }

  async #visit(candidate: Candidate): Promise<Visit> {
    const { robots, memory, fetch, maxBytes } = this.#options;
    const { url } = candidate;
    const signal = this.#stop.signal;
    const verdict = await robots?.allowed(url, signal);
    const recalled = await memory.recall(url);
    if (verdict && !verdict.allowed) {
      const { rule } = verdict;
      if (!verdict.temporary) return { recalled, reading: { kind: 'refused', rule } };
      return { recalled, reading: { kind: 'failed', error: robotsFault(url, rule, verdict.error) } };
    }
    const asBefore = recalled?.skipped === undefined;
    // Without its links, an unchanged page would hide the pages behind it.
    const known = recalled?.links && asBefore && !candidate.whole ? recalled : undefined;
    const minDelayMs = Math.max(crawlDelayMs(verdict) ?? 0, this.#options.delayMs);
    return { recalled, reading: await readCandidate(url, { fetch, maxBytes, known, minDelayMs, signal }) };
  }

  async *#report(candidate: Candidate, { reading, recalled }: Visit): AsyncGenerator<Enumerated> {
    const { url } = candidate;
    const met = metAs(candidate);
    if (this.#isRoot(candidate)) this.#rootFault = rootFault(url, reading);
    switch (reading.kind) {
      case 'body':
        yield* this.#reportContent(await this.#contentOf(candidate, reading, recalled));
        return;
      case 'same':
        if (recalled?.skipped === undefined) {
          const remember = { ...recalled, ...reading.validators };
          const doubled = recalled?.canonicalUrl;
          const summarised = doubled === undefined;
          yield* this.#reportContent({ candidate, remember, same: true, summarised, doubled });
        } else yield { ...met, kind: 'skipped', rule: recalled.skipped, remember: recalled };
        break;
      case 'moved':
        yield* this.#reportRedirect(candidate, reading.to, reading.status);
        break;
      case 'gone': {
        const { reason, status } = reading;
        const error = failure(enumerationErrors.GATHERER_BAD_STATUS, { url, status });
        if (this.#rootFault === undefined) yield { ...met, kind: 'gone', reason };
        else if (!this.#isRoot(candidate)) yield { ...met, kind: 'failed', error };
        break;
      }
      case 'refused': {
        const { rule, validators, status } = reading;
        // The root is reported at the end.
        if (status !== undefined && this.#isRoot(candidate)) break;
        if (this.#isRoot(candidate)) this.#rootRule = rule;
        const remember = validators && { ...validators, links: [], skipped: rule };
        yield { ...met, kind: 'skipped', rule, ...(remember && { remember }) };
        break;
      }
      case 'failed':
        if (!this.#isRoot(candidate)) yield { ...met, kind: 'failed', error: reading.error };
        // Its links of the last time are requested.
        yield* this.#follow(candidate, recalled);
    }
    if (isFolder(url) && this.#doubles.folder(url) === undefined)
      yield* this.#settleFolder(url, { kind: reading.kind === 'failed' ? 'failed' : 'absent' });
  }

  /** Whether this is the start page, or the target of its redirects. */
  #isRoot({ url, via }: Candidate): boolean {
    return (via?.[0] ?? url) === this.#scope.root;
  }

  async #contentOf(
    candidate: Candidate,
    { document, validators }: Extract<Reading, { kind: 'body' }>,
    recalled: Remembered | undefined,
  ): Promise<Content> {
    const { lastModified = candidate.modified } = document;
    const dated = lastModified === undefined ? document : { ...document, lastModified };
    const links = this.#siteLinks(candidate.url, await this.#options.linksOf(dated));
    const lists = this.#siteLinks(candidate.url, pageListsOf(dated));
    const { canonicalUrl: doubled, md5, skipped } = recalled ?? {};
    const same = md5 === document.md5;
    const summarised = same && doubled === undefined && skipped === undefined;
    return {
      candidate,
      document: dated,
      remember: { ...validators, md5: document.md5, links, ...(lists.length > 0 && { lists }) },
      same,
      summarised,
      doubled,
    };
  }

  /** Yield a read or unchanged document under the right name and follow its links. */
  async *#reportContent(content: Content): AsyncGenerator<Enumerated> {
    const { candidate, remember } = content;
    const { url } = candidate;
    const folder = folderOf(url);
    if (folder !== undefined && content.doubled === folder && !candidate.whole) {
      // It was a double: its folder must be read first.
      if (this.#doubles.folder(folder) === undefined)
        yield* this.#admit({ url: folder, depth: candidate.depth, from: url, ...leafOf(candidate) });
      if (this.#doubles.folder(folder) === undefined) {
        this.#doubles.park(folder, { url, md5: remember.md5, waiting: withoutBody(content) });
        yield* this.#follow(candidate, remember);
        return;
      }
    }
    yield* this.#reportIndexPage(content, folder);
    yield* this.#follow(candidate, remember);
    if (isFolder(url)) yield* this.#settleFolder(url, { kind: 'present', md5: remember.md5 });
  }

  async *#reportIndexPage(content: Content, folder: string | undefined): AsyncGenerator<Enumerated> {
    const { candidate, remember, document } = content;
    const met = metAs(candidate);
    if (folder !== undefined) {
      const { md5 } = remember;
      if (this.#doubles.isDouble(folder, md5, content.doubled === folder && content.same)) {
        yield { ...met, kind: 'double', of: folder, remember: { ...remember, canonicalUrl: folder } };
        return;
      }
      this.#doubles.noteYielded(folder, { url: candidate.url, md5, waiting: withoutBody(content) });
    }
    if (content.summarised || document) this.#found = true;
    if (content.summarised) yield { ...met, kind: 'unchanged', remember, readBytes: document?.bytes.length };
    else if (document) yield { ...met, kind: 'document', document, remember };
    // Unchanged, but never summarised under its own name: the body is needed.
    else await this.#frontier.push({ ...candidate, whole: true });
  }

  /** Record a folder's state: yield index pages equal to it as doubles, and those that waited for it. */
  async *#settleFolder(
    folder: string,
    state: Parameters<IndexDoubles<Content>['settle']>[1],
  ): AsyncGenerator<Enumerated> {
    const { doubles, parked } = this.#doubles.settle(folder, state);
    for (const { waiting } of doubles)
      yield {
        ...metAs(waiting.candidate),
        kind: 'double',
        of: folder,
        remember: { ...waiting.remember, canonicalUrl: folder },
      };
    for (const { waiting } of parked) yield* this.#reportIndexPage(waiting, folder);
  }

  async *#reportRedirect(candidate: Candidate, to: string, status: number): AsyncGenerator<Enumerated> {
    const { url, depth, via = [] } = candidate;
    const met = metAs(candidate);
    const target = this.#scope.verdict(to);
    const trail = [...via, url];
    if (!target.included) {
      if (trail[0] === this.#scope.root)
        throw failure(enumerationErrors.GATHERER_ROOT_MOVED, { url: this.#scope.root, to: target.url });
      yield { ...met, kind: 'skipped', rule: `${target.rule}: it redirects to ${target.url}` };
      return;
    }
    const circle = trail.includes(target.url);
    if (circle || trail.length > maxRedirects) {
      const why = circle ? 'its redirects go in a circle' : `more than ${maxRedirects} redirects`;
      const error = failure(enumerationErrors.GATHERER_REDIRECTS, { url, why });
      if (this.#isRoot(candidate)) this.#rootFault = error;
      else yield { ...met, kind: 'failed', error };
      return;
    }
    yield { ...met, kind: 'redirected', to: target.url, status };
    yield* this.#admit({ url: target.url, depth, from: url, via: trail, ...leafOf(candidate) });
  }

  /** Links in normal spelling, each once, those of other hosts left out. */
  #siteLinks(base: string, links: readonly string[]): string[] {
    const bare = new Set(links.map((link) => link.replace(/#.*$/s, '')));
    const found = new Set<string>();
    for (const link of bare) {
      const { url, included } = this.#scope.onSiteVerdict(link, base);
      if (included) found.add(url);
    }
    return [...found];
  }

  async *#follow(candidate: Candidate, page: Remembered | undefined): AsyncGenerator<Enumerated> {
    if (candidate.leaf) return;
    this.#seeds.note(page?.lists ?? []);
    // A stack returns the last link first.
    const links = this.#options.depthFirst ? [...(page?.links ?? [])].reverse() : (page?.links ?? []);
    for (const url of links) yield* this.#admit({ url, depth: candidate.depth + 1, from: candidate.url });
  }

  /** Queue a URL of the site unless it was met before, does not belong to the root, or a limit cuts it. */
  async *#admit(candidate: Candidate): AsyncGenerator<Enumerated> {
    const { url, depth } = candidate;
    if (!this.#scope.below(url) || !this.#visited.add(url)) return;
    const { included, rule } = this.#scope.pathVerdict(url);
    const refusal = included ? await this.#limits.admit(url, depth) : { rule };
    if (refusal === undefined) {
      await this.#frontier.push(candidate);
      return;
    }
    yield { ...metAs(candidate), kind: 'skipped', ...refusal };
    if (isFolder(url)) yield* this.#settleFolder(url, { kind: 'absent' });
  }

  /** Queue the pages of the site's lists, and yield the items of the lists. */
  async *#queueSeeds(news: AsyncIterable<SeedNews>): AsyncGenerator<Enumerated> {
    for await (const one of news) {
      if (one.kind === 'page') {
        const { url, from, modified } = one;
        yield* this.#admit({ url, from, depth: 1, ...(modified !== undefined && { modified }) });
      } else if (this.#visited.add(one.item.url) || one.item.kind === 'sitemap') yield one.item;
    }
  }

  /** Queue the next URLs that are known from earlier runs and were not met in this one. */
  async *#recallNext(known: AsyncIterator<string>): AsyncGenerator<Enumerated> {
    while (this.#frontier.size < this.#options.concurrency) {
      const next = await known.next();
      if (next.done) return;
      const { url, included, rule } = this.#scope.verdict(next.value);
      if (this.#visited.has(url) || (await this.#options.memory.recall(next.value))?.sitemaps) continue;
      if (included) yield* this.#admit({ url, depth: 0, leaf: true });
      // URLs of another root are left to it.
      else if (this.#scope.below(url)) yield { url: next.value, depth: 0, kind: 'skipped', rule };
    }
  }

  /** Give up on a site that does not answer, instead of waiting for each of its pages. */
  #checkSilence(candidate: Candidate, reading: Reading): void {
    if (!isSilence(reading)) {
      this.#silence = 0;
      return;
    }
    this.#silence += 1;
    if (this.#isRoot(candidate)) throw rootFault(candidate.url, reading) ?? reading.error;
    if (this.#silence < maxSilence) return;
    const data = { url: this.#scope.root, failures: this.#silence };
    throw failure(enumerationErrors.GATHERER_SITE_SILENT, data, reading.error);
  }
}

function metAs({ url, depth, from }: Candidate) {
  return { url, depth, ...(from !== undefined && { discoveredFrom: from }) };
}

function leafOf({ leaf }: Candidate) {
  return leaf ? { leaf } : {};
}

/** A page that waits for its folder holds no body. */
function withoutBody({ document: _, ...content }: Content): Content {
  return content;
}
