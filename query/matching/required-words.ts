import { isPartOfWord, type QueryNode } from '../syntax/index.ts';
import { isPlain, leafWords, partsWithTokens } from './leaves.ts';

/** A normalised word whose term, in an object's language, is in an attribute, or one of bare words. */
export interface WordPlace {
  readonly word: string;
  /** Lower-case name; absent for bare words. */
  readonly attribute: string | undefined;
}

/** Conditions that every matching object meets, known without reading any object. */
export interface RequiredWords {
  /** The object has at least one of these; undefined: no such condition; empty: nothing can match. */
  readonly anyOf: readonly WordPlace[] | undefined;
  /** It has each of these as well. */
  readonly allOf: readonly WordPlace[];
  /** Whether every object that meets the conditions matches. */
  readonly isAll: boolean;
}

/** More alternatives than these are useless: each needs a look-up of the query. */
const maxAlternatives = 16;

/** More words than these hardly make the combination rarer. */
const maxTogether = 4;

/**
 * The words that every matching object has; where there is a choice, the rarest. `rarity` returns the part of
 * all objects that has a word. A node of unknown kind requires nothing. Takes time linear in the query.
 */
export function requiredWords(query: QueryNode, rarity: (place: WordPlace) => number): RequiredWords {
  const { anyOf, allOf, isAll } = required(query, undefined, rarity);
  const others = distinct(allOf).filter((place) => anyOf?.length !== 1 || !same(place, anyOf[0]));
  const kept = byRarity(others, rarity).slice(0, maxTogether);
  return { anyOf, allOf: kept, isAll: isAll && kept.length === others.length };
}

const nothingKnown: RequiredWords = { anyOf: undefined, allOf: [], isAll: false };
const nothingMatches: RequiredWords = { anyOf: [], allOf: [], isAll: true };

/** The places of the words matter, too. */
const notAll = (terms: RequiredWords): RequiredWords => ({ ...terms, isAll: false });

function required(
  node: QueryNode,
  attribute: string | undefined,
  rarity: (place: WordPlace) => number,
): RequiredWords {
  switch (node.kind) {
    case 'word':
    case 'phrase': {
      // A word as it is written has its term, too.
      if (isPartOfWord(node) || (node.errors ?? 0) !== 0) return nothingKnown;
      const places = leafWords(node).map((word) => ({ word, attribute }));
      return {
        anyOf: byRarity(places, rarity).slice(0, 1),
        allOf: places,
        isAll: places.length < 2 && isPlain(node),
      };
    }
    case 'sequence':
      return notAll(required({ kind: 'and', operands: partsWithTokens(node) }, attribute, rarity));
    case 'near':
      return notAll(required({ kind: 'and', operands: node.operands }, attribute, rarity));
    case 'attribute':
      return required(node.operand, node.name.toLowerCase(), rarity);
    case 'and': {
      const operands = node.operands.map((operand) => required(operand, attribute, rarity));
      const anyOf = cheapest(
        operands.map((operand) => operand.anyOf),
        rarity,
      );
      // The operands that were not chosen only require that their terms are present.
      const isAll = operands.every(
        (operand) => operand.isAll && (operand.anyOf === anyOf || isTogether(operand)),
      );
      return { anyOf, allOf: operands.flatMap(({ allOf }) => allOf), isAll };
    }
    case 'or': {
      const operands = node.operands.map((operand) => required(operand, attribute, rarity));
      const alternatives = operands.map(({ anyOf }) => anyOf);
      const all = alternatives.includes(undefined)
        ? undefined
        : distinct(alternatives.flatMap((x) => x ?? []));
      const [first, ...others] = operands.filter(({ anyOf }) => anyOf?.length !== 0);
      const common = first?.allOf.filter((place) =>
        others.every(({ allOf }) => allOf.some((other) => same(place, other))),
      );
      const isAll = operands.every(
        (operand) => operand.isAll && operand.allOf.every((place) => same(place, operand.anyOf?.[0])),
      );
      const anyOf = all && all.length <= maxAlternatives ? all : undefined;
      return { anyOf, allOf: common ?? [], isAll: isAll && anyOf !== undefined };
    }
    case 'not':
      if (node.operand.kind === 'all') return nothingMatches;
      return node.operand.kind === 'not' ? required(node.operand.operand, attribute, rarity) : nothingKnown;
    default:
      return nothingKnown;
  }
}

/** Whether an operand only requires that all of some terms are present. */
function isTogether({ anyOf, allOf }: RequiredWords): boolean {
  return anyOf !== undefined && anyOf.length === 1 && allOf.some((place) => same(place, anyOf[0]));
}

const same = (a: WordPlace, b: WordPlace | undefined) => a.word === b?.word && a.attribute === b.attribute;

function distinct(places: readonly WordPlace[]): readonly WordPlace[] {
  const seen = new Map(places.map((place) => [`${place.attribute ?? ''}\0${place.word}`, place]));
  return [...seen.values()];
}

function byRarity(places: readonly WordPlace[], rarity: (place: WordPlace) => number): WordPlace[] {
  return [...places].sort((a, b) => rarity(a) - rarity(b));
}

/** The alternatives that the fewest objects have. */
function cheapest(
  choices: readonly (readonly WordPlace[] | undefined)[],
  rarity: (place: WordPlace) => number,
): readonly WordPlace[] | undefined {
  let best: { readonly places: readonly WordPlace[]; readonly cost: number } | undefined;
  for (const places of choices) {
    if (places === undefined) continue;
    const cost = places.reduce((sum, place) => sum + rarity(place), 0);
    if (best === undefined || cost < best.cost || places.length === 0) best = { places, cost };
    if (places.length === 0) break;
  }
  return best?.places;
}
