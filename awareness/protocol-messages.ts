import type { Oid } from '../soif/index.ts';
import type { Lsn } from './epoch.ts';
import type { Group, SplitRequest } from './groups.ts';
import type { Handle } from './handle.ts';
import type { ShortId } from './short-id.ts';
import type { Change } from './source.ts';

/** One element of the vector a store sends: the object it stands for and what the scheme says of it. */
export type VectorElement =
  /** What happened to an object, with its content. */
  | { readonly kind: 'record'; readonly change: Change }
  /** An object without its content: as much as the scheme's compression keeps. */
  | {
      readonly kind: 'described';
      readonly handle: Handle;
      readonly lsn?: Lsn;
      readonly signature?: Uint8Array;
      readonly gone: boolean;
    }
  /** An element of the store, or, `gone`, one of the client's that the store has not. */
  | { readonly kind: 'short'; readonly id: ShortId; readonly gone: boolean }
  /** Everything up to this sequence number has been said. */
  | { readonly kind: 'reached'; readonly lsn: Lsn }
  /** Everything up to this place in the order of a vector of everything has been said; `oid` need not exist. */
  | { readonly kind: 'passed'; readonly oid: Oid };

/** What a store says in the course of one run of a scheme. */
export type StoreStatement =
  | { readonly kind: 'vector'; readonly elements: readonly VectorElement[] }
  /** Part of the answer to one statement of the client; `end` follows the last. */
  | { readonly kind: 'groups'; readonly groups: readonly Group[] }
  /** So many cells of the client's sketch are needed in all. */
  | { readonly kind: 'cells'; readonly needed: number }
  /**
   * The scheme cannot tell the difference after all: another is needed. `differences` is an estimate; where a client
   * is told by what to ask, `sums` are those of the store's whole set, from which it can estimate by itself.
   */
  | { readonly kind: 'unsuited'; readonly differences: number; readonly sums?: Uint8Array | undefined }
  | { readonly kind: 'end' };

/** What a client says after its request. */
export type ClientStatement =
  | { readonly kind: 'split'; readonly requests: readonly SplitRequest[] }
  /** Cells from one on; with the first of them the sums of the whole set, when it did not send them before. */
  | { readonly kind: 'cells'; readonly from: number; readonly cells: Uint8Array; readonly sums?: Uint8Array }
  | { readonly kind: 'end' };

/** The store's end of a conversation. `hear` is undefined when the client has left. */
export interface StoreDialogue {
  say(statement: Exclude<StoreStatement, { kind: 'vector' }>): Promise<void>;
  /** Say a vector of any length, in statements as large as fit; elements come in lists, which need not be those. */
  tell(elements: AsyncIterable<readonly VectorElement[]>): Promise<void>;
  hear(): Promise<ClientStatement | undefined>;
}

/** The client's end. `hear` throws when the store has left before its end. */
export interface ClientDialogue {
  say(statement: ClientStatement): Promise<void>;
  hear(): Promise<StoreStatement>;
}

/** What a client wants to have of each object: all of it, some attributes, or that it exists. */
export type Want =
  | { readonly kind: 'objects' }
  | { readonly kind: 'attributes'; readonly names: readonly string[] }
  | { readonly kind: 'handles' };
