import { elementOf, SetFingerprint } from './fingerprint.ts';
import type { Epoch, Handle } from './handle.ts';

/** The place of an object in an order that both sides agree on: compared as text, one character a byte. */
export type Position = string;

/** An object of one side in the refinement of groups. */
export interface Placed {
  readonly position: Position;
  readonly handle: Handle;
  readonly signature: Uint8Array;
}

/** Positions from one to another; a bound left out is open, `above` and `below` are exclusive. */
export interface PositionRange {
  readonly from?: Position | undefined;
  readonly above?: Position | undefined;
  readonly to?: Position | undefined;
  readonly below?: Position | undefined;
}

/** The summary of a group (the paper's Compress, section 6). A maximum cannot remove, or show a deletion. */
export interface GroupSummary {
  add(placed: Placed): void;
  remove?(placed: Placed): void;
  /** The data to compare: equal groups have equal data. */
  data(): Uint8Array;
}

/** One side's objects, selected by the filter that both agree on, in order; unaffected by later changes. */
export interface OrderedView {
  count(range: PositionRange): Promise<number>;
  summary(range: PositionRange): Promise<GroupSummary>;
  /** The object with this index (from 0) among those of the range. */
  at(range: PositionRange, index: number): Promise<Placed>;
  entries(range: PositionRange): AsyncIterable<Placed>;
}

/** A summary of a group as the sum of its keyed element ids (paper, 6.1); `fingerprint` is its content. */
export function signatureSum(epoch: Epoch, fingerprint = new SetFingerprint()): GroupSummary {
  const element = ({ handle, signature }: Placed) => elementOf(epoch, handle, signature);
  return {
    add: (placed) => fingerprint.add(element(placed)),
    remove: (placed) => fingerprint.remove(element(placed)),
    data: () => fingerprint.digest(),
  };
}

/** Summarises a group as its latest timestamp (paper, section 6.2); an object's signature is then its timestamp. */
export function latestStamp(): GroupSummary {
  let latest: Uint8Array = new Uint8Array(0);
  return {
    add: ({ signature }) => {
      if (Buffer.compare(signature, latest) > 0) latest = signature;
    },
    data: () => latest,
  };
}
