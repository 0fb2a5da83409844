const maxNodes = 20_000;
const maxDepth = 40;

/** What a page's JSON-LD says of its article. */
export interface StructuredArticle {
  /** schema.org `articleBody`, the longest; empty when there is none. */
  readonly body: string;
  readonly isArticle: boolean;
}

/** Read JSON-LD scripts; what is not JSON is passed over. */
export function structuredArticle(scripts: readonly string[]): StructuredArticle {
  let body = '';
  let isArticle = false;
  for (const script of scripts) {
    const pending: { readonly value: unknown; readonly depth: number }[] = [
      { value: parsed(script), depth: 0 },
    ];
    for (let seen = 0; seen < maxNodes; seen++) {
      const next = pending.pop();
      if (next === undefined) break;
      const { value, depth } = next;
      if (typeof value !== 'object' || value === null || depth > maxDepth) continue;
      for (const [name, inner] of Object.entries(value)) {
        if (name === 'articleBody' && typeof inner === 'string') {
          if (inner.length > body.length) body = inner;
        } else if (name === '@type' && typeof inner === 'string')
          isArticle ||= /Article|Posting|Report/.test(inner);
        else if (typeof inner === 'object') pending.push({ value: inner, depth: depth + 1 });
      }
    }
  }
  return { body, isArticle };
}

function parsed(script: string): unknown {
  try {
    return JSON.parse(script.replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[)|(?:-->|\/\/\s*\]\]>)\s*$/g, ''));
  } catch {
    return undefined;
  }
}
