import type { Oid } from '../soif/index.ts';
import type { Change, Entry, Marker } from './source.ts';

/** What a client has of one source. */
export interface ReplicaState {
  /** Absent until something was learned. */
  readonly marker: Marker | undefined;
  readonly count: number;
  readonly fingerprint: Uint8Array;
}

/** What a client must offer to learn from a source: its copy of that source's objects. */
export interface Replica {
  state(): Promise<ReplicaState>;
  /** The copy's entries in handle order, starting after `after`; `lsn` fields are the client's own. */
  scan(after?: Oid): AsyncIterable<Entry>;
  /** Learn and forget in one atomic step; the marker moves in the same step when one is given. */
  apply(changes: readonly Change[], marker?: Marker): Promise<void>;
}
