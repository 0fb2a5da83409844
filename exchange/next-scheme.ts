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

/** By which scheme to ask, the source's choice where it is undefined, and how many differences are expected. */
export interface Asking {
  readonly scheme: string | undefined;
  readonly differences: number | undefined;
  /** The number is little more than a guess. */
  readonly doubtful?: boolean;
}

/** A run that ended without telling what differs. */
export interface NotSent {
  readonly unsuited: Unsuited;
  readonly state: SourceState;
}

/** What can always be run, the most frugal first, and is when a result does not verify. */
export const lastResorts = ['short-ids', 'signature'] as const;

/**
 * What to ask by after a run that did not tell: `named` is what the source named to a client that had named nothing.
 * How much differs is known by then as a rule, and decides. Undefined when everything was `tried`.
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
  // A sketch of fewer cells than that will not do.
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
