import { pattern } from '../recognise/index.ts';

/** Publish documents under other URLs: `$1` in `to` names a group of the pattern `from`. */
export interface UrlRewrite {
  readonly from: string;
  readonly to: string;
}

/** Maps URLs as read to URLs as published; the first matching rule decides. */
export class UrlRewriter {
  readonly #rules: readonly { readonly found: RegExp; readonly to: string }[];

  /** Throws RULE_PATTERN. */
  constructor(rules: readonly UrlRewrite[]) {
    this.#rules = rules.map(({ from, to }) => ({ found: pattern(from), to }));
  }

  /** The published URL; the URL itself if no rule matches or the result is not an absolute URL. */
  published(url: string): string {
    const rule = this.#rules.find(({ found }) => found.test(url));
    if (rule === undefined) return url;
    return URL.parse(url.replace(rule.found, rule.to))?.href ?? url;
  }

  /** The published URL of a document or of a place in one: the rules see the URL without its fragment. */
  publishedPlace(url: string): string {
    const hash = url.indexOf('#');
    if (hash < 0) return this.published(url);
    const document = url.slice(0, hash);
    const published = this.published(document);
    return published === document ? url : `${published.replace(/#.*$/s, '')}${url.slice(hash)}`;
  }

  /** References, one per line, with published URLs. */
  references(lines: string): string {
    if (this.#rules.length === 0) return lines;
    return lines
      .split('\n')
      .map((url) => this.publishedPlace(url))
      .join('\n');
  }
}
