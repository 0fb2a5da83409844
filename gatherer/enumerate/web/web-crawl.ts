import type { Fetch, RobotsPolicy } from '../../../fetch/index.ts';
import { failure, type GarnerError } from '../../../kernel/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import type { Enumerated, EnumerationMemory, PageFacts, Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import type { ScopeRun } from '../scope-rule.ts';
import { type Reading, readCandidate } from './candidate-reader.ts';
import { CrawlLimits, crawlDelayMs } from './crawl-limits.ts';
import { FetchWindow } from './fetch-window.ts';
import { type Candidate, Frontier } from './frontier.ts';
import { PageJudge } from './page-judge.ts';
import { pageListsOf } from './page-list-signs.ts';
import { leafOf, metAs, PageReports } from './page-reports.ts';
import { robotsRefusal, rootFault, SilenceWatch } from './site-failure.ts';
import type { SiteScope } from './site-scope.ts';
import { SiteSeeds } from './site-seeds.ts';
import type { SeedNews } from './sitemap-walk.ts';
import { UrlSet } from './url-set.ts';

export interface WebCrawlOptions {
  readonly scope: SiteScope;
  readonly memory: EnumerationMemory;
  readonly fetch: Fetch;
  readonly factsOf: (document: DocumentInput) => Promise<PageFacts>;
  readonly drop?: (document: DocumentInput) => void;
  readonly robots?: RobotsPolicy;
  readonly sitemaps: boolean;
  readonly pageLists: boolean;
  readonly learnParameters: boolean;
  /** Max pages of one pattern that show nothing new; 0 for no limit. */
  readonly trapPages: number;
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

const maxRedirects = 10;

/** Bytes of bodies read ahead of the caller. */
const readAheadBytes = 64 * 1024 * 1024;

/** One run of a `WebEnumerator`. */
export class WebCrawl {
  readonly #options: WebCrawlOptions;
  readonly #scope: SiteScope;
  readonly #visited = new UrlSet();
  readonly #frontier: Frontier;
  readonly #reports: PageReports;
  readonly #judge: PageJudge;
  readonly #stop = new AbortController();
  readonly #seeds: SiteSeeds;
  readonly #limits: CrawlLimits;
  readonly #silence: SilenceWatch;
  /** The fault of the start page. */
  #rootFault: GarnerError | undefined;
  /** The rule that leaves the start page out. */
  #rootRule: string | undefined;

  constructor(options: WebCrawlOptions) {
    this.#options = options;
    this.#scope = options.scope;
    this.#silence = new SilenceWatch(options.scope.root);
    this.#limits = new CrawlLimits(options);
    this.#frontier = new Frontier(options.frontierUrls, options.depthFirst);
    this.#judge = new PageJudge({
      ...options,
      start: () => this.#reports.sketch(options.scope.root),
      signal: this.#stop.signal,
    });
    this.#reports = new PageReports({
      root: options.scope.root,
      admit: (candidate) => this.#admit(candidate),
      push: (candidate) => this.#frontier.push(candidate),
      follow: (candidate, page) => this.#follow(candidate, page),
      drop: (document) => options.drop?.(document),
    });
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
          if (candidate && !(yield* this.#isLeftOut(candidate))) window.begin(candidate);
        }
        if (window.empty) {
          yield* this.#queueSeeds(this.#seeds.fromSitemaps());
          // Last, because the form of the pages' URLs must be known.
          if (this.#frontier.size === 0) yield* this.#queueSeeds(this.#seeds.fromPageLists());
          if (this.#frontier.size === 0) yield* this.#reports.finish();
          // A site without its start page may give wrong answers: known pages are not requested.
          if (this.#rootFault === undefined) known ??= this.#options.memory.known?.()[Symbol.asyncIterator]();
          if (this.#frontier.size === 0 && known) yield* this.#recallNext(known);
          if (this.#frontier.size > 0) continue;
          return yield* this.#conclude();
        }
        const next = await window.next();
        if (!next) continue;
        this.#silence.note(next.task.url, this.#isRoot(next.task), next.outcome.reading);
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
    yield* this.#judge.ignored();
    if (error !== undefined && this.#reports.found)
      yield { url: root, depth: 0, kind: 'failed', error, whole: true };
    else if (error !== undefined) throw error;
    else if (rule !== undefined && !this.#reports.found)
      throw failure(enumerationErrors.GATHERER_ROOT_REFUSED, { url: root, rule });
  }

  async #visit(candidate: Candidate): Promise<Visit> {
    const { robots, memory, fetch, maxBytes } = this.#options;
    const { url } = candidate;
    const signal = this.#stop.signal;
    const verdict = await robots?.allowed(url, signal);
    const recalled = await memory.recall(url);
    const refusal = robotsRefusal(url, verdict);
    if (refusal !== undefined) return { recalled, reading: refusal };
    // Without its links, an unchanged page would hide the pages behind it.
    const known = recalled?.links && !candidate.whole ? recalled : undefined;
    const minDelayMs = Math.max(crawlDelayMs(verdict) ?? 0, this.#options.delayMs);
    return { recalled, reading: await readCandidate(url, { fetch, maxBytes, known, minDelayMs, signal }) };
  }

  async *#report(candidate: Candidate, { reading, recalled }: Visit): AsyncGenerator<Enumerated> {
    const { url } = candidate;
    const met = metAs(candidate);
    if (this.#isRoot(candidate)) this.#rootFault = rootFault(url, reading);
    switch (reading.kind) {
      case 'body':
        yield* this.#reportBody(candidate, reading, recalled);
        return;
      case 'same':
        yield* this.#reportSame(candidate, { ...recalled, ...reading.validators });
        return;
      case 'moved':
        yield* this.#reportRedirect(candidate, reading);
        return;
      case 'gone': {
        const { reason, status } = reading;
        const error = failure(enumerationErrors.GATHERER_BAD_STATUS, { url, status });
        if (this.#rootFault === undefined) yield { ...met, kind: 'gone', reason };
        else if (!this.#isRoot(candidate)) yield { ...met, kind: 'failed', error };
        break;
      }
      case 'refused': {
        const { rule, status } = reading;
        // The root is reported at the end.
        if (status !== undefined && this.#isRoot(candidate)) break;
        if (this.#isRoot(candidate)) this.#rootRule = rule;
        yield { ...met, kind: 'skipped', rule };
        break;
      }
      case 'failed':
        if (!this.#isRoot(candidate)) yield { ...met, kind: 'failed', error: reading.error };
        // Its links of the last time are requested.
        yield* this.#follow(candidate, recalled);
    }
    yield* this.#reports.ended(url, { kind: reading.kind === 'failed' ? 'failed' : 'absent' });
  }

  /** Whether this is the start page, or the target of its redirects. */
  #isRoot({ url, via }: Candidate): boolean {
    return (via?.[0] ?? url) === this.#scope.root;
  }

  /** An unchanged page: what its row says. */
  async *#reportSame(candidate: Candidate, remember: Remembered): AsyncGenerator<Enumerated> {
    const { canonicalUrl: doubled } = remember;
    this.#judge.noteSame(candidate, remember.dull);
    const unread = { candidate, remember, same: true, summarised: doubled === undefined };
    yield* this.#reports.report({ ...unread, doubled, named: doubled, kept: true });
  }

  async *#reportBody(
    candidate: Candidate,
    { document, validators }: Extract<Reading, { kind: 'body' }>,
    recalled: Remembered | undefined,
  ): AsyncGenerator<Enumerated> {
    const { url } = candidate;
    const { lastModified = candidate.modified, md5 } = document;
    const context = { isRoot: this.#isRoot(candidate), hasMet: this.#reports.hasMet(md5) };
    const { sketch, fresh, missing } = await this.#judge.judge(candidate, document, context);
    if (missing !== undefined) {
      const { rule, earlier } = missing;
      for (const at of [...earlier, url]) yield { ...metAs(candidate), url: at, kind: 'skipped', rule };
      return yield* this.#reports.ended(url, { kind: 'absent' });
    }
    const dated = lastModified === undefined ? document : { ...document, lastModified };
    const { links: written, canonical, kept } = await this.#options.factsOf(dated);
    const links = this.#siteLinks(url, written);
    const lists = this.#siteLinks(url, pageListsOf(dated));
    const named = canonical === undefined ? undefined : this.#scope.onSiteVerdict(canonical, url);
    const same = recalled?.md5 === md5;
    const doubled = recalled?.canonicalUrl;
    const remember = {
      ...{ ...validators, md5, links },
      ...(lists.length > 0 && { lists }),
      ...(!fresh && { dull: true as const }),
    };
    yield* this.#rename(candidate, this.#judge.learn(url, document, written));
    const plain = this.#judge.strip(url);
    if (plain !== url) {
      this.#options.drop?.(dated);
      yield* this.#reports.ended(url, { kind: 'other', of: plain });
      return yield* this.#follow(candidate, remember);
    }
    const judged = this.#judge.toCompare(url);
    if (judged !== undefined)
      yield* this.#admit({
        url: judged,
        depth: candidate.depth,
        from: url,
        next: true,
        ...leafOf(candidate),
      });
    yield* this.#reports.report({
      ...{ candidate, document: dated, remember, same, doubled, sketch, kept },
      summarised: same && doubled === undefined,
      named: named?.included && named.url !== url ? named.url : undefined,
    });
  }

  /** Report addresses that proved to be others of pages, which are read when they were not, or were left out. */
  async *#rename(
    { url, depth }: Candidate,
    others: ReadonlyMap<string, readonly string[]>,
  ): AsyncGenerator<Enumerated> {
    const leftOut = yield* this.#reports.rename(depth, others);
    for (const plain of others.keys())
      if (!this.#visited.has(plain)) yield* this.#admit({ url: plain, depth, from: url });
      else if (plain !== url && leftOut.includes(plain))
        await this.#frontier.push({ url: plain, depth, whole: true });
  }

  async *#reportRedirect(
    candidate: Candidate,
    { to, status, cookie }: Extract<Reading, { kind: 'moved' }>,
  ): AsyncGenerator<Enumerated> {
    const { url, depth, via = [] } = candidate;
    const met = metAs(candidate);
    const target = this.#scope.verdict(to);
    const trail = [...via, url];
    if (!target.included) {
      if (trail[0] === this.#scope.root)
        throw failure(enumerationErrors.GATHERER_ROOT_MOVED, { url: this.#scope.root, to: target.url });
      yield { ...met, kind: 'skipped', rule: `${target.rule}: it redirects to ${target.url}` };
      return yield* this.#reports.ended(url, { kind: 'absent' });
    }
    const circle = trail.includes(target.url);
    // The page may be there for a visitor who brings the cookie.
    if (cookie && !candidate.again) return await this.#frontier.push({ ...candidate, again: true });
    if (circle && candidate.again && target.url !== url) {
      await this.#frontier.push({ url: target.url, depth, again: true });
      yield { ...met, kind: 'redirected', to: target.url, status };
      return yield* this.#reports.ended(url, { kind: 'other', of: target.url });
    }
    if (circle || trail.length > maxRedirects) {
      const why = circle ? 'its redirects go in a circle' : `more than ${maxRedirects} redirects`;
      const error = failure(enumerationErrors.GATHERER_REDIRECTS, { url, why });
      if (this.#isRoot(candidate)) this.#rootFault = error;
      else yield { ...met, kind: 'failed', error };
      return yield* this.#reports.ended(url, { kind: 'absent' });
    }
    yield { ...met, kind: 'redirected', to: target.url, status };
    yield* this.#admit({ url: target.url, depth, from: url, via: trail, ...leafOf(candidate) });
    yield* this.#reports.ended(url, { kind: 'other', of: target.url });
  }

  /** Links in normal spelling, each once, those of other hosts left out. */
  #siteLinks(base: string, links: readonly string[]): string[] {
    const bare = new Set(links.map((link) => link.replace(/#.*$/s, '')));
    const found = new Set<string>();
    for (const link of bare) {
      const { url, included } = this.#scope.onSiteVerdict(link, base);
      if (!included) continue;
      found.add(url);
      this.#judge.noteLink(link, base);
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

  /** Whether a waiting URL turned out to be another address of a page, or part of a trap. */
  async *#isLeftOut(candidate: Candidate): AsyncGenerator<Enumerated, boolean> {
    const { url } = candidate;
    const plain = this.#judge.strip(url);
    if (plain !== url) {
      yield* this.#admit({ ...candidate, url: plain });
      yield* this.#reports.ended(url, { kind: 'other', of: plain });
      return true;
    }
    const trap = candidate.listed ? undefined : this.#judge.trap(url);
    if (trap === undefined || this.#isRoot(candidate)) return false;
    yield { ...metAs(candidate), kind: 'skipped', rule: trap, limit: true };
    yield* this.#reports.ended(url, { kind: 'absent' });
    return true;
  }

  /** Queue a URL of the site unless it was met before, does not belong to the root, or a limit cuts it. */
  async *#admit(met: Candidate): AsyncGenerator<Enumerated> {
    const candidate = { ...met, url: this.#judge.strip(met.url) };
    const { url, depth } = candidate;
    if (!this.#scope.below(url) || !this.#visited.add(url)) return;
    const { included, rule } = this.#scope.pathVerdict(url);
    const refusal = included ? await this.#limits.admit(url, depth) : { rule };
    if (refusal === undefined) {
      await this.#frontier.push(candidate);
      return;
    }
    yield { ...metAs(candidate), kind: 'skipped', ...refusal };
    yield* this.#reports.ended(url, { kind: 'absent' });
  }

  /** Queue the pages of the site's lists, and yield the items of the lists. */
  async *#queueSeeds(news: AsyncIterable<SeedNews>): AsyncGenerator<Enumerated> {
    for await (const one of news) {
      if (one.kind === 'page') {
        const { url, from, modified } = one;
        yield* this.#admit({
          url,
          from,
          depth: 1,
          listed: true,
          ...(modified !== undefined && { modified }),
        });
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
}
