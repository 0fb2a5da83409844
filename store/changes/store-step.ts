import type { Lsn, Refresh } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { ObjectToStore } from './object-transaction.ts';

/** What is done to an object in a step. */
export type StoreOperation =
  | ({ readonly kind: 'put' } & ObjectToStore)
  | ({ readonly kind: 'refresh' } & Omit<Refresh, 'publisher'>)
  | { readonly kind: 'delete'; readonly oid: Oid };

/** What a step did, by number of objects. */
export interface StepResult {
  readonly changed: number;
  readonly refreshed: number;
  readonly deleted: number;
  readonly lsn: Lsn;
}

/** What the store knows of an object without reading its summary. */
export interface StoredObject {
  readonly oid: Oid;
  readonly url: string;
  readonly lsn: Lsn;
  readonly updatedAt: number;
  readonly expiresAtMs: number;
  readonly digest: Uint8Array;
  readonly partitions: readonly number[];
}
