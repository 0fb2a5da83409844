import { depthRule, urlsRule } from '../limits.ts';
import type { Refusal, ScopeRun } from '../scope-rule.ts';

/** What bounds one run over a site: the settings for all sites, and the options of its RootNode. */
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

  /** Count a URL in, or say what cuts it. */
  async admit(url: string, depth: number): Promise<Refusal | undefined> {
    if (depth > this.#maxDepth) return { rule: depthRule(this.#maxDepth), limit: true };
    if (this.#admitted >= this.#maxUrls) return { rule: urlsRule(this.#maxUrls), limit: true };
    const refusal = await this.#rule?.admit(url, depth);
    if (refusal === undefined) this.#admitted += 1;
    return refusal;
  }
}
