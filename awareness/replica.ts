import type { Oid } from '../soif/index.ts';
import type { Epoch } from './epoch.ts';
import type { Handle } from './handle.ts';
import type { OrderedView } from './ordered-view.ts';
import type { GroupScheme } from './scheme.ts';
import type { SetSummary } from './set-summary.ts';
import type { ShortId } from './short-id.ts';
import type { Change, Entry, Marker, Noted } from './source.ts';

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
  /** The binary form in which these objects are held, undefined where they are not. */
  bodies(oids: readonly Oid[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The copy's entries with these handles or short ids, undefined where there is none. */
  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]>;
  /** What tells the copy's difference from its source, or undefined where no sketch is kept. */
  summary(): Promise<SetSummary | undefined>;
  /** The copy as a scheme of groups sees it, or undefined where no such order is kept. */
  ordered(scheme: GroupScheme, epoch: Epoch): Promise<OrderedView | undefined>;
  /**
   * Learn and forget in one atomic step, in which the marker moves too. A marker of another epoch means that
   * everything held so far is now compared under that epoch.
   */
  apply(changes: readonly (Change | Noted)[], marker: Marker): Promise<void>;
}

/** The same replica, of which `apply` is done in another way. */
export function withApply(replica: Replica, apply: Replica['apply']): Replica {
  return {
    state: () => replica.state(),
    scan: (after) => replica.scan(after),
    digests: (oids) => replica.digests(oids),
    bodies: (oids) => replica.bodies(oids),
    find: (names) => replica.find(names),
    summary: () => replica.summary(),
    ordered: (scheme, epoch) => replica.ordered(scheme, epoch),
    apply,
  };
}
