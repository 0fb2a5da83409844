import type { PdfFont } from '../fonts/font.ts';

/** A transformation [a b c d e f] (ISO 32000 section 8.3.3). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First `first`, then `second`. */
export function concatenated(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [A, B, C, D, E, F] = second;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** The part of the graphics state that text depends on; `q` saves a copy, `Q` restores it. */
export interface TextState {
  readonly matrix: Matrix;
  readonly font: PdfFont | undefined;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  /** Horizontal scaling, 1 when none. */
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
}

export const initialState: TextState = {
  matrix: identity,
  font: undefined,
  size: 1,
  characterSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};
