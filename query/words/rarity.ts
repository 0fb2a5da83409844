import { rarityTable } from './rarity-table.ts';

// Class c of the table holds the terms that about one of every 2^c documents has.
let classes: ReadonlyMap<string, number> | undefined;

function classesOfTerms(): ReadonlyMap<string, number> {
  classes ??= new Map(
    rarityTable.flatMap((line, index) =>
      line.split(/\s/).flatMap((term): (readonly [string, number])[] => (term === '' ? [] : [[term, index]])),
    ),
  );
  return classes;
}

/** Rarity of a term that the table does not hold. */
const maxRarity = 12;

/** The rarity of a term in Debian's documentation: log2 of documents per document that has it, 0 to 12. */
export function rarity(term: string): number {
  return classesOfTerms().get(term) ?? maxRarity;
}
