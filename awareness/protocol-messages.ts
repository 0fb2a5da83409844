import type { Oid } from '../soif/index.ts';
import type { Group, SplitRequest } from './groups.ts';
import type { Handle, Lsn } from './handle.ts';
import type { ShortId } from './short-id.ts';
import type { Change } from './source.ts';

/** One element of a store's vector: an object and the scheme's data of it. */
export type VectorElement =
  /** A change of an object, with its content. */
  | { readonly kind: 'record'; readonly change: Change }
  /** An object without its content: the fields that the scheme's compression keeps. */
  | {
      readonly kind: 'described';
      readonly handle: Handle;
      readonly lsn?: Lsn;
      readonly signature?: Uint8Array;
      readonly gone: boolean;
    }
  /** An element of the store, or, `gone`, one of the client's that the store lacks. */
  | { readonly kind: 'short'; readonly id: ShortId; readonly gone: boolean }
  /** Everything up to this sequence number was sent. */
  | { readonly kind: 'reached'; readonly lsn: Lsn }
  /** Everything up to this place in the order of a vector of everything was sent; `oid` need not exist. */
  | { readonly kind: 'passed'; readonly oid: Oid };

/** A store's statement during one run of a scheme. */
export type StoreStatement =
  | { readonly kind: 'vector'; readonly elements: readonly VectorElement[] }
  /** Part of the answer to one statement of the client; `end` follows the last. */
  | { readonly kind: 'groups'; readonly groups: readonly Group[] }
  /** The total number of cells of the client's sketch that are needed. */
  | { readonly kind: 'cells'; readonly needed: number }
  /** The scheme cannot send the estimated `differences`; `sums`, if sent, are of the store's whole set. */
  | { readonly kind: 'unsuited'; readonly differences: number; readonly sums?: Uint8Array | undefined }
  | { readonly kind: 'end' };

/** A client's statement after its request. */
export type ClientStatement =
  | { readonly kind: 'split'; readonly requests: readonly SplitRequest[] }
  /** Cells from one on; the first carry the sums of the whole set, unless the client sent them before. */
  | { readonly kind: 'cells'; readonly from: number; readonly cells: Uint8Array; readonly sums?: Uint8Array }
  | { readonly kind: 'end' };

/** The store's end of a conversation. `hear` is undefined when the client has left. */
export interface StoreDialogue {
  say(statement: Exclude<StoreStatement, { kind: 'vector' }>): Promise<void>;
  /** Say a vector of any length, in statements as large as fit; the given lists may have any length. */
  sayVector(elements: AsyncIterable<readonly VectorElement[]>): Promise<void>;
  hear(): Promise<ClientStatement | undefined>;
}

/** The client's end. `hear` throws when the store has left before its end. */
export interface ClientDialogue {
  say(statement: ClientStatement): Promise<void>;
  hear(): Promise<StoreStatement>;
}

/** What a client wants of each object: all of it, some attributes, or its existence. */
export type Want =
  | { readonly kind: 'objects' }
  | { readonly kind: 'attributes'; readonly names: readonly string[] }
  | { readonly kind: 'handles' };
