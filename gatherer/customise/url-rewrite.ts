import { pattern } from '../recognise/index.ts';

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

  /** The published URL of a document or a place in one: the rules see what stands before the fragment. */
  publishedPlace(url: string): string {
    const hash = url.indexOf('#');
    if (hash < 0) return this.published(url);
    const document = url.slice(0, hash);
    const published = this.published(document);
    return published === document ? url : `${published.replace(/#.*$/s, '')}${url.slice(hash)}`;
  }

  /** References, one a line, to documents where they are published. */
  references(lines: string): string {
    if (this.#rules.length === 0) return lines;
    return lines
      .split('\n')
      .map((url) => this.publishedPlace(url))
      .join('\n');
  }
}
