import { admissible } from './admissible.ts';
import { type Cost, type CostInput, estimateCost } from './cost.ts';
import type { Want } from './protocol-messages.ts';
import type { Scheme } from './scheme.ts';
import { schemes } from './schemes.ts';
import { sound } from './soundness.ts';
import type { Marker, SourceState } from './source.ts';
import type { StoreModel } from './store-model.ts';

/** A client as a store knows it when it asks. */
export interface RequestingClient {
  /** Under the store's own epoch, or another when the client speaks of another life. */
  readonly marker: Marker | undefined;
  readonly held: number;
  readonly want: Want['kind'];
}

/** A scheme that could be run, and what it is expected to cost. */
export interface Candidate {
  readonly scheme: Scheme;
  readonly cost: Cost;
}

/** Records by number: of equally cheap schemes the one that goes on from where it was cut. */
const isLog = (scheme: Scheme) =>
  scheme.refines === 'nothing' && scheme.selects === 'later-numbers' && scheme.compresses === 'record';

/**
 * The schemes that lose nothing for this client, the one to take first: the quickest by prediction. The client
 * compares fingerprints afterwards, so a scheme may be among them that the fingerprint would have to correct.
 */
export function candidates(
  model: StoreModel,
  state: SourceState,
  { marker, held, want }: RequestingClient,
  known: Pick<CostInput, 'objectBytes' | 'link' | 'differences' | 'unnamed'> & {
    /** Objects that change for each number of the log: one that changes often counts once (`ChangeHistory`). */
    readonly objectsPerNumber?: number;
  } = {},
): readonly Candidate[] {
  const sameLife = marker?.epoch === state.epoch;
  // Same number and yet another set: the log has nothing to say.
  const diverged = sameLife && marker.lsn >= state.lsn;
  const { objectsPerNumber = 1, ...given } = known;
  // How a copy differs that is at the store's own number no log tells.
  const numbers = sameLife && !diverged ? Math.max(0, state.lsn - marker.lsn) : undefined;
  const changes = numbers && Math.ceil(numbers * objectsPerNumber);
  const forgotten = sameLife && marker.lsn < state.horizon;
  return schemes
    .filter((scheme) => sound(scheme, model) === undefined)
    .filter((scheme) => !(diverged && scheme.refines === 'nothing' && scheme.selects !== 'everything'))
    .filter(
      (scheme) => scheme.refines === 'sketch' || admissible(scheme, state, marker, held, true) === undefined,
    )
    .map((scheme) => ({
      scheme,
      cost: estimateCost(scheme, { count: state.count, held, changes, want, forgotten, ...given }),
    }))
    .sort((a, b) => a.cost.ms - b.cost.ms || Number(isLog(b.scheme)) - Number(isLog(a.scheme)));
}
