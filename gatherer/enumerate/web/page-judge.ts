import type { Fetch, RobotsPolicy } from '../../../fetch/index.ts';
import type { DocumentInput } from '../../../readers/document/index.ts';
import { contentDigest, LearnedParameters } from '../addresses/learned-parameters.ts';
import { MissingPages, type SoftMissing } from '../addresses/missing-pages.ts';
import { contained, type PageSketch, SeenText, sketchOf } from '../addresses/page-sketch.ts';
import { TrapWatch } from '../addresses/trap-watch.ts';
import type { Enumerated } from '../enumerator.ts';
import { readCandidate } from './candidate-reader.ts';
import { crawlDelayMs } from './crawl-limits.ts';
import type { Candidate } from './frontier.ts';
import { normaliseUrl, type SiteScope } from './site-scope.ts';

export interface PageJudgeOptions {
  readonly scope: SiteScope;
  readonly fetch: Fetch;
  readonly robots?: RobotsPolicy;
  readonly maxBytes: number;
  readonly delayMs: number;
  readonly learnParameters: boolean;
  /** Max pages of one pattern that show nothing new; 0 for no limit. */
  readonly trapPages: number;
  /** The sketch of the start page. */
  readonly start: () => PageSketch | undefined;
  readonly signal: AbortSignal;
}

/** What a page is worth. */
export interface Judgement {
  readonly sketch: PageSketch | undefined;
  /** It shows something that no page before it has shown. */
  readonly fresh: boolean;
  /** Set when it is the page for missing addresses. */
  readonly missing: SoftMissing | undefined;
}

/** Max ignored parameters that are reported. */
const maxIgnoredNames = 50;

/** The rule, for reports, about a parameter that is no part of an address. */
const ignoredRule = (name: string, place = '') =>
  `the parameter ${name} is no part of an address${place} (gatherer.ignore-parameters, gatherer.learn-parameters)`;

/** Judges the pages of one run: traps, soft 404s, and parameters that are no part of an address. */
export class PageJudge {
  readonly #options: PageJudgeOptions;
  readonly #learned = new LearnedParameters();
  readonly #missing: MissingPages;
  readonly #seen = new SeenText();
  readonly #traps: TrapWatch;
  /** The rule of each ignored parameter that was met, by the first address with it. */
  readonly #ignored = new Map<string, { readonly url: string; readonly rule: string }>();

  constructor(options: PageJudgeOptions) {
    this.#options = options;
    this.#traps = new TrapWatch(options.trapPages);
    this.#missing = new MissingPages((url) => this.#probe(url));
  }

  /** The URL without parameters that proved to be no part of it. */
  strip(url: string): string {
    return this.#learned.strip(url);
  }

  /** The trap to which a URL belongs, if it does. */
  trap(url: string): string | undefined {
    return this.#traps.brake(url);
  }

  /** Note a link that the scope shortens. */
  noteLink(link: string, base: string): void {
    for (const name of this.#options.scope.ignoredIn(link))
      this.#noteIgnored(name, normaliseUrl(link, base) ?? link, ignoredRule(name));
  }

  /** An item for each ignored parameter that was met. */
  *ignored(): Generator<Enumerated> {
    for (const { url, rule } of this.#ignored.values()) yield { url, depth: 1, kind: 'skipped', rule };
  }

  /** Judge a page that was read. `hasMet`: the same bytes were met before. */
  async judge(
    { url, from, whole, listed = false }: Candidate,
    { bytes, contentType }: DocumentInput,
    context: { readonly isRoot: boolean; readonly hasMet: boolean },
  ): Promise<Judgement> {
    const sketch = sketchOf(url, bytes, contentType);
    const fresh = sketch === undefined ? !context.hasMet : this.#seen.add(sketch);
    const missing =
      sketch === undefined || context.isRoot
        ? undefined
        : await this.#missing.check(url, sketch, fresh, listed);
    if (!whole && !listed && missing === undefined) this.#traps.note(url, from, fresh);
    return { sketch, fresh, missing };
  }

  /** Note an unchanged page. `dull`: it showed nothing new when it was read. */
  noteSame({ url, from, listed }: Candidate, dull: boolean | undefined): void {
    if (!listed) this.#traps.note(url, from, !dull);
  }

  /** Learn from a page with these links; the addresses that proved to be others of a page, by that of the page. */
  learn(
    url: string,
    { bytes, md5 = '' }: DocumentInput,
    links: readonly string[],
  ): ReadonlyMap<string, readonly string[]> {
    if (!this.#options.learnParameters) return new Map();
    const lessons = this.#learned.learn(url, contentDigest(url, bytes, md5, links));
    for (const { name, place, plain, urls } of lessons)
      this.#noteIgnored(name, urls[0] ?? plain, ignoredRule(name, ` below ${place}`));
    // Several lessons concern one page where it has several such parameters.
    const others = new Map<string, string[]>();
    for (const { plain, urls } of lessons) {
      const page = this.strip(plain);
      const known = others.get(page) ?? [];
      for (const url of urls) known.push(url);
      others.set(page, known);
    }
    return others;
  }

  /** The address to read so that the parameters of this one can be judged. */
  toCompare(url: string): string | undefined {
    return this.#options.learnParameters ? this.#learned.plainOf(url) : undefined;
  }

  #noteIgnored(name: string, url: string, rule: string): void {
    if (this.#ignored.size < maxIgnoredNames && !this.#ignored.has(name))
      this.#ignored.set(name, { url, rule });
  }

  /** The page that the server sends for an address that cannot exist; undefined when it sends an error. */
  async #probe(url: string): Promise<PageSketch | undefined> {
    const { robots, fetch, maxBytes, delayMs, signal } = this.#options;
    const verdict = await robots?.allowed(url, signal);
    if (verdict && !verdict.allowed) return undefined;
    const minDelayMs = Math.max(crawlDelayMs(verdict) ?? 0, delayMs);
    const reading = await readCandidate(url, { fetch, maxBytes, known: undefined, minDelayMs, signal });
    if (reading.kind !== 'body') return undefined;
    const { bytes, contentType } = reading.document;
    const sketch = sketchOf(url, bytes, contentType);
    const start = this.#options.start();
    // A program that answers every address with its start page has its pages there.
    if (sketch && start && contained(sketch, start) === 1 && contained(start, sketch) === 1) return undefined;
    return sketch;
  }
}
