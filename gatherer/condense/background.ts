import { backgroundTerms } from './background-table.ts';

// Class c of the table holds terms in one of every 2^c documents or so.
let classes: ReadonlyMap<string, number> | undefined;

function table(): ReadonlyMap<string, number> {
  if (classes !== undefined) return classes;
  const made = new Map<string, number>();
  backgroundTerms.forEach((line, index) => {
    for (const term of line.split(/\s/)) if (term !== '') made.set(term, index);
  });
  classes = made;
  return made;
}

/** Rarity of a term that the table does not hold. */
export const rarest = 12;

/**
 * How rare a term is in documents at large: the binary logarithm of documents per document that holds it, from 0 to
 * `rarest`, as Debian's documentation has it.
 */
export function rarity(term: string): number {
  return table().get(term) ?? rarest;
}
