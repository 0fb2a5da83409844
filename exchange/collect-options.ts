import type { Epoch, Replica, Want } from '../awareness/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { Oid } from '../soif/index.ts';
import type { Session } from '../wire/index.ts';
import type { FilterSpec } from './filter.ts';
import type { Keyring } from './keyring.ts';

/** The room for a source's objects. Its replica leaves out those that have none. */
export interface Room {
  /** Objects that were left out so far. */
  readonly leftOut: number;
  /** Whether a round ends although the source, which has `offered` objects, has more than the copy. */
  isFull(offered: number): Promise<boolean>;
}

/** The options of one round of collecting. */
export interface CollectOptions {
  readonly session: Session;
  readonly replica: Replica;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The source's name in reports. */
  readonly name: string;
  /** Requires this scheme; the source chooses when absent. */
  readonly scheme?: string;
  /** Number of elements in which the copy is expected to differ, where known. */
  readonly differences?: number;
  /** Whole objects when absent. */
  readonly want?: Want;
  /** Everything when absent. */
  readonly filter?: FilterSpec;
  /** Where a cut comparison of everything can continue; the caller passes it to the next attempt. */
  readonly resume?: Resume;
  /** Part of the copy (0 to 1) that may vanish in a round before each loss is confirmed. */
  readonly deleteGuard: number;
  /** Without it, there is room for everything. */
  readonly room?: Room;
  readonly signal?: AbortSignal;
}

/** The progress of a comparison of everything. */
export interface Resume {
  place?: { readonly scheme: string; readonly epoch: Epoch; readonly after: Oid } | undefined;
}
