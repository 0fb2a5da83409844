import { admissible } from './admissible.ts';
import { type Cost, type CostInput, estimateCost } from './cost.ts';
import type { Want } from './protocol-messages.ts';
import type { Scheme } from './scheme.ts';
import { schemes } from './schemes.ts';
import { sound } from './soundness.ts';
import type { Marker, SourceState, StoreModel } from './source.ts';

/** The weight of the latest answer. */
const weight = 0.25;

/** An answer about fewer numbers than these is ignored. */
const minNumbers = 8;

/** A store's estimate of how many objects it sends for so many numbers of its log, from its own answers. */
export class ChangeHistory {
  #objectsPerNumber = 1;

  get objectsPerNumber(): number {
    return this.#objectsPerNumber;
  }

  /** Record that `numbers` numbers of the log were sent as `elements` elements. */
  record(numbers: number, elements: number): void {
    if (numbers < minNumbers) return;
    const now = Math.min(1, elements / numbers);
    this.#objectsPerNumber += weight * (now - this.#objectsPerNumber);
  }
}

/** A client as a store knows it at a request. */
export interface RequestingClient {
  /** Under the store's own epoch, or another when the client refers to another life. */
  readonly marker: Marker | undefined;
  readonly held: number;
  readonly want: Want['kind'];
}

/** A scheme that could be run, and what it is expected to cost. */
export interface Candidate {
  readonly scheme: Scheme;
  readonly cost: Cost;
}

/** Records by number: among equally cheap schemes the one that continues where it was cut. */
const isLog = (scheme: Scheme) =>
  scheme.refines === 'nothing' && scheme.selects === 'later-numbers' && scheme.compresses === 'record';

/** The schemes that lose nothing for a client that compares fingerprints afterwards, quickest first. */
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
  // The same number with another set: the log has nothing to send.
  const diverged = sameLife && marker.lsn >= state.lsn;
  const { objectsPerNumber = 1, ...given } = known;
  // No log shows how a copy at the store's own number differs.
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
