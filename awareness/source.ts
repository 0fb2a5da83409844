import type { Oid, ServerId } from '../soif/index.ts';
import type { Epoch, Handle, Lsn } from './handle.ts';
import type { OrderedView } from './ordered-view.ts';
import type { GroupScheme } from './scheme.ts';
import type { SetSummary } from './set-summary.ts';
import type { ShortId } from './short-id.ts';

/** The declared properties of a store, by which schemes that would lose a change on it are refused. */
export interface StoreModel {
  /** The effect of a change on an object: it keeps its handle, is replaced under a new one, or stays beside it. */
  readonly updates: 'in-place' | 'shadow' | 'version';
  readonly deletes: boolean;
  /** Whether the handle of a deleted object may name another one later. */
  readonly handleReuse: boolean;
  /** What a handle shows: nothing, the order of creation, or the content. */
  readonly handles: 'arbitrary' | 'sequential' | 'content-sensitive';
  /** Whether a later change always has a later timestamp than every earlier one. */
  readonly monotoneStamps: boolean;
  /** Whether deleted objects leave a tombstone; forgotten ones are behind the store's horizon. */
  readonly tombstones: boolean;
  /** Whether changes have sequence numbers, which no clock can set back. */
  readonly log: boolean;
}

/** Whether an object is wanted at a moment, and until when, if time alone can change that. */
export interface Verdict {
  readonly holds: boolean;
  /** Seconds since 1970; absent where time is not part of the filter. */
  readonly until?: number;
}

/** The paper's filter predicate σ. Both sides apply it to the same objects and time, with the same result. */
export interface Filter {
  /** Canonical text: filters with equal texts are the same. */
  readonly text: string;
  /** `body` is an object's binary form; `now` in seconds since 1970. */
  judge(body: Uint8Array, now: number): Verdict;
}

export type { Epoch, Lsn };

/** How far a client has learned: everything up to `lsn` in that life of the store. */
export interface Marker {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
}

/** A store at one moment: enough to see whether a client equals it. */
export interface SourceState {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
  /** Deletions at or before this LSN have been forgotten by the store (Tcut). */
  readonly horizon: Lsn;
  readonly count: number;
  /** 16 bytes over the set of (handle, signature); equal sets have equal fingerprints. */
  readonly fingerprint: Uint8Array;
}

/** An object without its body: the paper's handle, timestamp and signature. */
export interface Entry {
  readonly oid: Oid;
  /** LSN of the last operation on it, refreshes included. */
  readonly lsn: Lsn;
  /** LSN of the last operation that changed its content. */
  readonly contentLsn: Lsn;
  /** SHA-256 of the summary's canonical bytes. */
  readonly digest: Uint8Array;
}

/** An object on its way between servers: the summary in binary form with its provenance. */
export interface PublishedObject {
  readonly oid: Oid;
  readonly digest: Uint8Array;
  /** The summary object's binary form (soif). */
  readonly body: Uint8Array;
  /** Seconds since 1970; the Update-Time the signature covers. */
  readonly updatedAt: number;
  /** The server that gathered it. */
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

/** A deletion that the publisher has signed: it holds for every version up to its time, at every server. */
export interface Withdrawal {
  readonly publisher: ServerId;
  /** Seconds since 1970. */
  readonly updatedAt: number;
  /** Ed25519 over OID and time (soif, withdrawalBytes); 64 bytes. */
  readonly signature: Uint8Array;
}

/** One line of a change log: the last change of an object. */
export type Change =
  | {
      readonly kind: 'put';
      readonly lsn: Lsn;
      readonly object: PublishedObject;
      /** The difference from the version before, for clients that have that version. */
      readonly delta?: ObjectDelta;
    }
  | { readonly kind: 'refresh'; readonly lsn: Lsn; readonly refresh: Refresh }
  | {
      readonly kind: 'delete';
      readonly lsn: Lsn;
      readonly oid: Oid;
      /** Verified before a client applies it. Without it, only the source that sends the change has dropped the object. */
      readonly withdrawal?: Withdrawal;
    };

/** An object exists with this signature; no more of it is held. */
export interface Noted {
  readonly kind: 'note';
  readonly lsn: Lsn;
  readonly handle: Handle;
  /** The whole id, where that is known. */
  readonly oid?: Oid;
  readonly signature: Uint8Array;
}

/** Content unchanged, summarised again: time-to-live counts again from `updatedAt`. */
export interface Refresh {
  readonly oid: Oid;
  readonly publisher: ServerId;
  readonly updatedAt: number;
  readonly signature: Uint8Array;
}

/** A store at one LSN, unaffected by later changes, until disposed. */
export interface SourceSnapshot extends AsyncDisposable {
  readonly state: SourceState;
  /** The last change of each object after `marker`, in order of numbers, or of the store's own timestamps. */
  changesSince(marker: Lsn, by?: 'number' | 'stamp'): AsyncIterable<Change>;
  /** The same with only the signature of a put: no content is read. */
  notesSince(marker: Lsn, by?: 'number' | 'stamp'): AsyncIterable<Exclude<Change, { kind: 'put' }> | Noted>;
  /** The `count` newest objects, newest first, without deletions and mere refreshes. */
  newest(count: number): AsyncIterable<Change>;
  newestNotes(count: number): AsyncIterable<Noted>;
  /** Every object's entry in handle order, starting after `after`. */
  scan(after?: Oid): AsyncIterable<Entry>;
  get(oid: Oid): Promise<PublishedObject | undefined>;
  /** The objects with these handles or short ids, undefined where there is none. */
  find(names: readonly (Handle | ShortId)[]): Promise<readonly (Entry | undefined)[]>;
  /** The deletions of the objects with these handles that their publishers have signed. */
  withdrawn?(handles: readonly Handle[]): Promise<readonly (Change & { readonly kind: 'delete' })[]>;
  /** The summary that shows this set's difference from another, or undefined where the store has no sketch. */
  summary(): Promise<SetSummary | undefined>;
  /** The objects in the order of a group scheme, or undefined where the store has no such order. */
  ordered(scheme: GroupScheme): Promise<OrderedView | undefined>;
}

/** The interface that a store must offer to its clients. */
export interface Source {
  readonly model: StoreModel;
  /** Mean bytes of an object's content, where that is known. */
  readonly meanBytes?: number | undefined;
  state(): Promise<SourceState>;
  /** `sketch` requests the snapshot's summary too. */
  snapshot(options?: { readonly sketch?: boolean }): Promise<SourceSnapshot>;
  /** The objects for which a filter holds, as a source of their own. */
  filtered?(filter: Filter): Promise<Source>;
  /** Call back after each change until the returned function is called. */
  onChange(watcher: (lsn: Lsn) => void): () => void;
}
