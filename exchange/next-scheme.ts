import {
  type CostInput,
  cellsToSend,
  estimateCost,
  fromEstimate,
  type SourceState,
  schemeNamed,
  type Unsuited,
  usualLink,
} from '../awareness/index.ts';
import type { CollectOptions } from './collect-options.ts';

/** The scheme to request, the source's choice where it is undefined, and the expected number of differences. */
export interface Asking {
  readonly scheme: string | undefined;
  readonly differences: number | undefined;
  /** The number is little more than a guess. */
  readonly doubtful?: boolean;
}

/** A run that ended before the difference was sent. */
export interface NotSent {
  readonly unsuited: Unsuited;
  readonly state: SourceState;
}

/** The schemes that can always be run, the smallest first; they run when a result does not verify. */
export const lastResorts = ['short-ids', 'signature'] as const;

/**
 * The request after a run that failed: `named` is what the source proposed to a client that had named no
 * scheme. The number of differences, usually known by then, decides. Undefined when everything was `tried`.
 */
export async function nextScheme(
  { replica, session, want = { kind: 'objects' } }: CollectOptions,
  { unsuited, state: { count } }: NotSent,
  named: string | undefined,
  tried: readonly string[],
): Promise<Asking | undefined> {
  const { count: held } = await replica.state();
  const own = unsuited.sums && (await replica.summary());
  const estimated = own && unsuited.sums && own.sums.differences(unsuited.sums);
  const differences = estimated ?? (unsuited.differences > 0 ? unsuited.differences : undefined);
  if (named !== undefined && differences === undefined) return { scheme: named, differences };
  const { roundTripMs, receivedPerSecond, bytesPerSecond } = session.measures;
  const link = {
    roundTripMs,
    bytesPerSecond: receivedPerSecond ?? bytesPerSecond ?? usualLink.bytesPerSecond,
  };
  const input: CostInput = {
    ...{ count, held, changes: undefined, want: want.kind, differences, link },
    estimated: true,
  };
  const expected = differences === undefined ? undefined : fromEstimate(differences);
  // A sketch of fewer cells than that does not suffice.
  const tooShort = own !== undefined && cellsToSend(expected) > own.sketch.length;
  const left = [...(named === undefined ? [] : [named]), ...lastResorts].filter(
    (name) => !tried.includes(name),
  );
  const costs = left.flatMap((name) => {
    const scheme = schemeNamed(name);
    if (scheme === undefined || (tooShort && scheme.refines === 'sketch')) return [];
    return [{ name, ms: estimateCost(scheme, input).ms }];
  });
  const [best] = costs.sort((a, b) => a.ms - b.ms);
  if (best === undefined) return undefined;
  return { scheme: best.name, differences: expected };
}
