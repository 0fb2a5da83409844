/** Leave a document out when its source lies beside it (Essence, figure 5: a .ps beside its .ms). */
export interface SiblingRule {
  /** Type of the document that is left out, such as `PostScript`. */
  readonly drop: string;
  /** Types of its source, such as `Troff` and `Tex`, or `*` for any other document of that name. */
  readonly beside: readonly string[];
}

/** The name without its last extension, which a document shares with its source. */
export function stem(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** Applies sibling rules to the names of one folder; types are recognised by name alone. */
export class SiblingRules {
  readonly #rules: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #typeOfName: (name: string) => string | undefined;

  constructor(rules: readonly SiblingRule[], typeOfName: (name: string) => string | undefined) {
    const byType = new Map<string, Set<string>>();
    for (const { drop, beside } of rules) {
      const known = byType.get(drop.toLowerCase()) ?? new Set<string>();
      for (const type of beside) known.add(type.toLowerCase());
      byType.set(drop.toLowerCase(), known);
    }
    this.#rules = byType;
    this.#typeOfName = typeOfName;
  }

  /** Whether a document of this type may be left out for a sibling. */
  concerns(type: string): boolean {
    return this.#rules.has(type.toLowerCase());
  }

  /** The sibling for which a document is left out, or undefined. */
  source(name: string, type: string, siblings: Iterable<string>): string | undefined {
    const sources = this.#rules.get(type.toLowerCase());
    if (sources === undefined) return undefined;
    const wanted = stem(name);
    for (const sibling of siblings) {
      if (sibling === name || stem(sibling) !== wanted) continue;
      const of = this.#typeOfName(sibling)?.toLowerCase();
      if (of !== undefined && of !== type.toLowerCase() && (sources.has(of) || sources.has('*')))
        return sibling;
    }
    return undefined;
  }
}
