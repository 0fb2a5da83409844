/** The statistics of several measurements of one figure. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  readonly samples: number;
}

/**
 * The value below which the part `q` (0 to 1) of the samples lies, interpolated between neighbours. Throws TypeError
 * for no samples, a sample that is not finite, or a `q` out of range.
 */
export function quantile(samples: readonly number[], q: number): number {
  if (samples.length === 0 || !samples.every(Number.isFinite))
    throw new TypeError('a quantile needs finite samples');
  if (!(q >= 0 && q <= 1)) throw new TypeError(`a quantile is from 0 to 1: ${q}`);
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] as number;
  const high = sorted[Math.ceil(at)] as number;
  return low + (high - low) * (at - Math.floor(at));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Median with the lowest and the highest sample. Throws TypeError as `quantile` does. */
export function spreadOf(samples: readonly number[]): Spread {
  return {
    median: median(samples),
    lowest: quantile(samples, 0),
    highest: quantile(samples, 1),
    samples: samples.length,
  };
}
