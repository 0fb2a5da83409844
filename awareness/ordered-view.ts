import type { Handle } from './handle.ts';

/** Where an object stands in an order that both sides agree on: compared as text, one character a byte. */
export type Position = string;

/** An object of one side, as the refinement of groups sees it. */
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

/**
 * What stands for a group of objects: the paper's Compress of section 6. A sum can take an object out again; a
 * maximum cannot, and does not show deletions.
 */
export interface GroupSummary {
  add(placed: Placed): void;
  remove?(placed: Placed): void;
  /** What is compared: equal groups have equal data. */
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
