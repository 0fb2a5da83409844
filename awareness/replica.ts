import type { Oid } from '../soif/index.ts';
import type { Epoch, Handle, Lsn } from './handle.ts';
import type { OrderedView } from './ordered-view.ts';
import type { GroupScheme } from './scheme.ts';
import type { SetSummary } from './set-summary.ts';
import type { ShortId } from './short-id.ts';
import type { Change, Entry, Marker, Noted, PublishedObject } from './source.ts';

/** The state of a client's copy of one source. */
export interface ReplicaState {
  /** Absent until something was learned. */
  readonly marker: Marker | undefined;
  readonly count: number;
  readonly fingerprint: Uint8Array;
}

/** An object that a client holds, or held and still has a tombstone of. */
export interface KnownObject {
  readonly oid: Oid;
  readonly url: string;
  /** The version that is held; absent of a deleted object. */
  readonly held?: Pick<PublishedObject, 'digest' | 'updatedAt' | 'signature'>;
}

/** The interface that a client must offer to learn from a source: its copy of that source's objects. */
export interface Replica {
  state(): Promise<ReplicaState>;
  /** The copy's entries in handle order, starting after `after`; `lsn` fields are the client's own. */
  scan(after?: Oid): AsyncIterable<Entry>;
  /** The digests of these objects in the copy, undefined where it has none. */
  digests(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The binary form of these objects in the copy, undefined where it has none. */
  bodies(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The copy's entries with these handles or short ids, undefined where there is none. */
  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]>;
  /**
   * The objects with these handles in the whole of the client's store, deleted ones included. A client that has it is
   * sent withdrawals.
   */
  known?(handles: readonly Handle[]): Promise<readonly (KnownObject | undefined)[]>;
  /** The summary that shows the copy's difference from its source, or undefined where no sketch is stored. */
  summary(): Promise<SetSummary | undefined>;
  /** The copy in the order of a group scheme, or undefined where no such order is stored. */
  ordered(scheme: GroupScheme, epoch: Epoch): Promise<OrderedView | undefined>;
  /**
   * Learn and forget in one atomic step, in which the marker moves too. After a marker of another epoch, all
   * present objects are compared under that epoch.
   */
  apply(changes: readonly (Change | Noted)[], marker: Marker): Promise<void>;
}

export function withApply(replica: Replica, apply: Replica['apply']): Replica {
  return {
    state: () => replica.state(),
    scan: (after) => replica.scan(after),
    digests: (oids) => replica.digests(oids),
    bodies: (oids) => replica.bodies(oids),
    find: (names) => replica.find(names),
    ...(replica.known && { known: replica.known.bind(replica) }),
    summary: () => replica.summary(),
    ordered: (scheme, epoch) => replica.ordered(scheme, epoch),
    apply,
  };
}

/** One step that the client derives from a vector; the steps can be executed in their order. */
export type LearningStep =
  /** Apply this change; it is complete. */
  | { readonly kind: 'apply'; readonly change: Change }
  /** Request this object and learn it. */
  | { readonly kind: 'fetch'; readonly object: Handle | ShortId }
  /** Note that an object exists with this signature; no more of it is wanted. */
  | { readonly kind: 'note'; readonly handle: Handle; readonly signature: Uint8Array; readonly lsn: Lsn }
  /** Forget this object, or, named by a short id, this version of one. */
  | { readonly kind: 'forget'; readonly object: Handle | ShortId; readonly lsn: Lsn }
  /** Everything up to this sequence number was sent: a run cut here continues from it. */
  | { readonly kind: 'reached'; readonly lsn: Lsn }
  /** The same for a vector of everything: a run cut here may continue after this place. */
  | { readonly kind: 'passed'; readonly oid: Oid };
