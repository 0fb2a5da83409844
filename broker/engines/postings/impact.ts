import { resolution } from '../codecs/posting-codec.ts';

// Okapi BM25 with a low length bias, so that an average taken early does no harm later.
const k1 = 0.9;
const b = 0.4;

/** The slot of `frequency` occurrences in `length` tokens: BM25's term part, quantised; 0 is best. */
export function impactSlot(frequency: number, length: number, averageLength: number): number {
  const saturated = frequency / (frequency + k1 * (1 - b + (b * length) / averageLength));
  return Math.min(resolution - 1, Math.max(0, Math.floor((1 - saturated) * resolution)));
}

/** No slot has a higher value. */
export const maxImpact = k1 + 1;

/** The value of a slot: the middle of its impacts. */
export const slotWeight: Float64Array = Float64Array.from(
  { length: resolution },
  (_, slot) => maxImpact * (1 - (slot + 0.5) / resolution),
);

/** The slot with the nearest value to this, which is 0 or more. */
export const nearestSlot = (weight: number): number =>
  Math.min(resolution - 1, Math.max(0, Math.round((1 - weight / maxImpact) * resolution - 0.5)));

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(objects: number, withTerm: number): number {
  return Math.log(1 + (Math.max(objects, withTerm) - withTerm + 0.5) / (withTerm + 0.5));
}
