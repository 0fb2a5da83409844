/** A query as a tree; every node says which objects match, `evaluate` and every engine agree on that. */
export type QueryNode =
  /** `weight`: how much it counts in ranking beside the others, 1 when absent; it changes nothing of what matches. */
  | { readonly kind: 'word'; readonly word: string; readonly weight?: number }
  /** Words that stand next to each other in this order in one attribute value. */
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly weight?: number }
  /** The operand restricted to one attribute (`Author` covers `Author-1`, `Author-2`). */
  | { readonly kind: 'attribute'; readonly name: string; readonly operand: QueryNode }
  | { readonly kind: 'and'; readonly operands: readonly QueryNode[] }
  | { readonly kind: 'or'; readonly operands: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly operand: QueryNode }
  /** Every object. */
  | { readonly kind: 'all' };
