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
  /** The digests under which these objects are held, undefined where they are not. */
  digests(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Learn and forget in one atomic step, in which the marker moves too. A marker of another epoch means that
   * everything held so far is now compared under that epoch.
   */
  apply(changes: readonly Change[], marker: Marker): Promise<void>;
}
