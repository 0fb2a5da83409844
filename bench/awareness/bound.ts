import { type Kind, partsOf } from './objects.ts';

/** log2 of n! by Stirling's series: exact to a thousandth from 1 on. */
function log2Factorial(n: number): number {
  if (n < 2) return 0;
  return (n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n)) / Math.LN2;
}

/**
 * Fewest bytes that can tell a change: a handle and a signature of 16 bytes each of what is new, in no order, and
 * which of the `n` objects are gone.
 */
export function boundBytes(n: number, kind: Kind, u: number): number {
  const { inserts, updates, deletes } = partsOf(kind, u);
  const [fresh, gone] = [inserts + updates, deletes + updates];
  const choice = log2Factorial(n) - log2Factorial(gone) - log2Factorial(n - gone);
  return fresh * 32 - log2Factorial(fresh) / 8 + choice / 8;
}
