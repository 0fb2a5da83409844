import type { Lsn, Refresh, Withdrawal } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { ObjectToStore, ObjectTransaction } from './object-transaction.ts';

/** An operation on an object in a step. */
export type StoreOperation =
  | ({ readonly kind: 'put' } & ObjectToStore)
  | ({ readonly kind: 'refresh' } & Omit<Refresh, 'publisher'>)
  | {
      readonly kind: 'delete';
      readonly oid: Oid;
      /** The publisher's signature, for a deletion that holds everywhere. */
      readonly withdrawal?: Withdrawal;
    };

export interface StepResult {
  readonly changed: number;
  readonly refreshed: number;
  readonly deleted: number;
  readonly lsn: Lsn;
}

/** An object's facts that need no reading of its summary. */
export interface StoredObject {
  readonly oid: Oid;
  readonly url: string;
  readonly lsn: Lsn;
  readonly updatedAt: number;
  readonly expiresAtMs: number;
  readonly digest: Uint8Array;
  readonly partitions: readonly number[];
  /** Versions up to this Update-Time were withdrawn; 0 for none. */
  readonly withdrawnAt: number;
}

/** Apply these operations in order; resolves to the number of objects changed, refreshed and deleted. */
export async function applyOperations(
  tx: ObjectTransaction,
  operations: readonly StoreOperation[],
): Promise<Omit<StepResult, 'lsn'>> {
  await tx.prepare(
    operations.map((operation) => (operation.kind === 'put' ? operation.object.oid : operation.oid)),
  );
  let [changed, refreshed, deleted] = [0, 0, 0];
  for (const operation of operations) {
    if (operation.kind === 'put') (await tx.put(operation)) ? changed++ : refreshed++;
    else if (operation.kind === 'refresh') refreshed += (await tx.refresh(operation)) ? 1 : 0;
    else deleted += (await tx.delete(operation.oid, operation.withdrawal)) ? 1 : 0;
  }
  return { changed, refreshed, deleted };
}

/** The work of one step; resolves to the number of objects changed, refreshed and deleted. */
export type StepWork = (tx: ObjectTransaction) => Promise<Omit<StepResult, 'lsn'>>;
