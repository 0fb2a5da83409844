import type { RobotsVerdict } from '../../../fetch/index.ts';
import type { Refusal, ScopeRun } from '../scope-rule.ts';
import { depthRule, urlsRule } from '../scope-rule.ts';

/** Limits of one run over a site: the settings for all sites, and the options of its RootNode. */
export class CrawlLimits {
  readonly #maxUrls: number;
  readonly #maxDepth: number;
  readonly #rule: ScopeRun | undefined;
  #admitted = 0;

  constructor(limits: { readonly maxUrls: number; readonly maxDepth: number; readonly rule?: ScopeRun }) {
    this.#maxUrls = limits.maxUrls;
    this.#maxDepth = limits.maxDepth;
    this.#rule = limits.rule;
  }

  /** Count a URL, or return why it is left out. */
  async admit(url: string, depth: number): Promise<Refusal | undefined> {
    if (depth > this.#maxDepth) return { rule: depthRule(this.#maxDepth), limit: true };
    if (this.#admitted >= this.#maxUrls) return { rule: urlsRule(this.#maxUrls), limit: true };
    const refusal = await this.#rule?.admit(url, depth);
    if (refusal === undefined) this.#admitted += 1;
    return refusal;
  }
}

// A longer crawl delay would make a run endless.
const maxCrawlDelayMs = 60_000;

/** Milliseconds between requests that robots.txt demands, limited; undefined without a demand. */
export function crawlDelayMs(verdict: RobotsVerdict | undefined): number | undefined {
  const seconds = verdict?.crawlDelaySeconds;
  return seconds === undefined ? undefined : Math.min(seconds * 1000, maxCrawlDelayMs);
}
