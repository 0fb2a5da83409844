import type { Random } from '../../kernel/index.ts';
import { analyse, isStopWord } from '../../query/index.ts';

/** A text as its terms, each with how often it occurs. */
export type Bag = ReadonlyMap<string, number>;

/** The stems of a text without function words. */
export const stemsOf = (text: string): string[] =>
  analyse(text).flatMap(({ word, term }) => (isStopWord(word) ? [] : [term]));

export function bagOf(text: string): Bag {
  const bag = new Map<string, number>();
  for (const stem of stemsOf(text)) bag.set(stem, (bag.get(stem) ?? 0) + 1);
  return bag;
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random.next() * (at + 1));
    [all[at], all[other]] = [all[other] as Item, all[at] as Item];
  }
  return all;
}

/** Deal documents at random into parts of equal size. Returns the part of each. */
export function randomCut(count: number, parts: number, random: Random): readonly number[] {
  const places = new Array<number>(count);
  for (const [at, place] of shuffled([...new Array(count).keys()], random).entries())
    places[place] = at % parts;
  return places;
}

type Vector = ReadonlyMap<string, number>;

function unit(weights: Map<string, number>): Vector {
  let square = 0;
  for (const weight of weights.values()) square += weight * weight;
  const length = Math.sqrt(square) || 1;
  for (const [term, weight] of weights) weights.set(term, weight / length);
  return weights;
}

/** TF-IDF of each text, with length 1. */
function vectorsOf(bags: readonly Bag[]): readonly Vector[] {
  const holding = new Map<string, number>();
  for (const bag of bags) for (const term of bag.keys()) holding.set(term, (holding.get(term) ?? 0) + 1);
  return bags.map((bag) => {
    const weights = new Map<string, number>();
    for (const [term, times] of bag) {
      const texts = holding.get(term) ?? 1;
      if (texts > 1) weights.set(term, (1 + Math.log(times)) * Math.log(bags.length / texts));
    }
    return unit(weights);
  });
}

function nearest(vector: Vector, centres: readonly Vector[]): number {
  let [best, nearness] = [0, -1];
  for (const [at, centre] of centres.entries()) {
    let likeness = 0;
    for (const [term, weight] of vector) likeness += weight * (centre.get(term) ?? 0);
    if (likeness > nearness) [best, nearness] = [at, likeness];
  }
  return best;
}

const steps = 12;

/** Spherical k-means over TF-IDF: the part of each text. A part that gets empty begins again at a random text. */
export function clusteredCut(bags: readonly Bag[], parts: number, random: Random): readonly number[] {
  const vectors = vectorsOf(bags);
  let centres: readonly Vector[] = shuffled(vectors, random).slice(0, parts);
  let places: number[] = [];
  for (let step = 0; step < steps; step++) {
    places = vectors.map((vector) => nearest(vector, centres));
    centres = centres.map((_, part) => {
      const sum = new Map<string, number>();
      for (const [at, vector] of vectors.entries())
        if (places[at] === part)
          for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
      return sum.size > 0 ? unit(sum) : (vectors[Math.floor(random.next() * vectors.length)] as Vector);
    });
  }
  return places;
}
