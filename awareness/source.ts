import type { Oid, ServerId } from '../soif/index.ts';
import type { Epoch, Lsn } from './epoch.ts';
import type { Filter } from './filter.ts';
import type { Handle } from './handle.ts';
import type { OrderedView } from './ordered-view.ts';
import type { GroupScheme } from './scheme.ts';
import type { SetSummary } from './set-summary.ts';
import type { ShortId } from './short-id.ts';
import type { StoreModel } from './store-model.ts';

export type { Epoch, Lsn };

/** How far a client has learned: everything up to `lsn` in that life of the store. */
export interface Marker {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
}

/** A store at one moment: enough to tell whether a client equals it. */
export interface SourceState {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
  /** Deletions at or before this LSN have been forgotten by the store (Tcut). */
  readonly horizon: Lsn;
  readonly count: number;
  /** 16 bytes over the set of (handle, signature); equal sets have equal fingerprints. */
  readonly fingerprint: Uint8Array;
}

/** What is known of an object without its body: the paper's handle, timestamp and signature. */
export interface Entry {
  readonly oid: Oid;
  /** LSN of the last operation on it, refreshes included. */
  readonly lsn: Lsn;
  /** LSN of the last operation that changed its content. */
  readonly contentLsn: Lsn;
  /** SHA-256 of the summary's canonical bytes. */
  readonly digest: Uint8Array;
}

/** An object as it travels: the summary in binary form with its provenance. */
export interface PublishedObject {
  readonly oid: Oid;
  readonly digest: Uint8Array;
  /** The summary object's binary form (soif). */
  readonly body: Uint8Array;
  /** Seconds since 1970; the Update-Time the signature covers. */
  readonly updatedAt: number;
  /** Who gathered it. */
  readonly publisher: ServerId;
  /** Ed25519 over OID, digest and Update-Time; 64 bytes. */
  readonly signature: Uint8Array;
}

/** A change of attributes (soif, applyDelta), shorter than the object itself. */
export interface ObjectDelta {
  /** Signature of the version it is applied to. */
  readonly base: Uint8Array;
  readonly bytes: Uint8Array;
}

/** One line of a change log: the last thing that happened to an object. */
export type Change =
  | {
      readonly kind: 'put';
      readonly lsn: Lsn;
      readonly object: PublishedObject;
      /** How the object came of its last version, for who has that one. */
      readonly delta?: ObjectDelta;
    }
  | { readonly kind: 'refresh'; readonly lsn: Lsn; readonly refresh: Refresh }
  | { readonly kind: 'delete'; readonly lsn: Lsn; readonly oid: Oid };

/** An object is there with this signature, and no more is held of it. */
export interface Noted {
  readonly kind: 'note';
  readonly lsn: Lsn;
  readonly handle: Handle;
  /** The whole id, where that is known. */
  readonly oid?: Oid;
  readonly signature: Uint8Array;
}

/** Content unchanged, summarised anew: time-to-live counts again from `updatedAt`. */
export interface Refresh {
  readonly oid: Oid;
  readonly publisher: ServerId;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
}

/** A store at one LSN, unaffected by later changes, until disposed. */
export interface SourceSnapshot extends AsyncDisposable {
  readonly state: SourceState;
  /**
   * The last change of each object changed after `marker`, in order: by log sequence number, or by timestamp where
   * the store has its own. `put` only where content changed.
   */
  changesSince(marker: Lsn, by?: 'number' | 'stamp'): AsyncIterable<Change>;
  /** The same with no more of a put than its signature: no content is read. */
  notesSince(marker: Lsn, by?: 'number' | 'stamp'): AsyncIterable<Exclude<Change, { kind: 'put' }> | Noted>;
  /** The `count` newest objects, newest first, deletions and mere refreshes passed over. */
  newest(count: number): AsyncIterable<Change>;
  newestNotes(count: number): AsyncIterable<Noted>;
  /** Every object's entry in handle order, starting after `after`. */
  scan(after?: Oid): AsyncIterable<Entry>;
  get(oid: Oid): Promise<PublishedObject | undefined>;
  /** The objects with these handles or short ids, undefined where there is none. */
  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]>;
  /** What tells this set's difference from another, or undefined where the store keeps no sketch. */
  summary(): Promise<SetSummary | undefined>;
  /** The objects as a scheme of groups sees them, or undefined where the store keeps no such order. */
  ordered(scheme: GroupScheme): Promise<OrderedView | undefined>;
}

/** What a store must offer to be learned from. */
export interface Source {
  readonly model: StoreModel;
  /** Mean bytes of an object's content, where that is known. */
  readonly meanBytes?: number | undefined;
  state(): Promise<SourceState>;
  /** `sketch` asks for the snapshot's summary too. */
  snapshot(options?: { readonly sketch?: boolean }): Promise<SourceSnapshot>;
  /** The objects for which a filter holds, as a source of their own. */
  filtered?(filter: Filter): Promise<Source>;
  /** Call back after each change until the returned function is called. */
  onChange(watcher: (lsn: Lsn) => void): () => void;
}
