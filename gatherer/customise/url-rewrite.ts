import { pattern } from './pattern.ts';

/** Publish what is gathered under one URL under another: `$1` names a group of the pattern. */
export interface UrlRewrite {
  readonly from: string;
  readonly to: string;
}

/** The URLs under which documents are published, from those under which they are read. The first rule that fits decides. */
export class UrlRewriter {
  readonly #rules: readonly { readonly found: RegExp; readonly to: string }[];

  /** Throws RULE_PATTERN. */
  constructor(rules: readonly UrlRewrite[]) {
    this.#rules = rules.map(({ from, to }) => ({ found: pattern(from), to }));
  }

  /** The published URL; the URL itself where no rule fits or the result is no absolute URL. */
  published(url: string): string {
    const rule = this.#rules.find(({ found }) => found.test(url));
    if (rule === undefined) return url;
    return URL.parse(url.replace(rule.found, rule.to))?.href ?? url;
  }
}
