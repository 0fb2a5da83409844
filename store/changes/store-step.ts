import { type Lsn, type Refresh, sameBytes, type Withdrawal } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { ObjectMeta } from '../rows/index.ts';
import type { ObjectToStore, ObjectTransaction } from './object-transaction.ts';
import { withOwn } from './own-claim.ts';

/** An operation on an object in a step. */
export type StoreOperation =
  | ({ readonly kind: 'put' } & ObjectToStore)
  | ({
      readonly kind: 'refresh';
      /** The content that was signed; another one is not refreshed. */
      readonly digest?: Uint8Array;
    } & Omit<Refresh, 'publisher'>)
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

/**
 * Apply these operations in order; resolves to the number of objects changed, refreshed and deleted. With `ifNewer` an
 * operation has no effect on an object of which the store knows a later version or withdrawal.
 */
export async function applyOperations(
  tx: ObjectTransaction,
  operations: readonly StoreOperation[],
  ifNewer = false,
): Promise<Omit<StepResult, 'lsn'>> {
  await tx.prepare(
    operations.map((operation) => (operation.kind === 'put' ? operation.object.oid : operation.oid)),
  );
  let [changed, refreshed, deleted] = [0, 0, 0];
  for (const operation of operations) {
    if (operation.kind === 'delete') {
      const { oid, withdrawal } = operation;
      const isGone = ifNewer && withdrawal ? tx.withdraw(oid, withdrawal) : tx.delete(oid, withdrawal);
      if (await isGone) deleted++;
      continue;
    }
    const { oid, updatedAt } = operation.kind === 'put' ? operation.object : operation;
    const held = await tx.meta(oid);
    if (ifNewer && updatedAt <= Math.max(held?.updatedAt ?? 0, await tx.withdrawnAt(oid))) continue;
    const partitions = withOwn(held?.partitions ?? []);
    if (operation.kind === 'put') (await tx.put(operation, partitions)) ? changed++ : refreshed++;
    else if (held !== undefined && isSigned(operation, held)) {
      await tx.refresh(operation);
      if (partitions !== held.partitions) await tx.setPartitions(oid, partitions);
      refreshed++;
    }
  }
  return { changed, refreshed, deleted };
}

const isSigned = ({ digest }: { readonly digest?: Uint8Array }, held: ObjectMeta): boolean =>
  digest === undefined || sameBytes(digest, held.digest);

/** The work of one step; resolves to the number of objects changed, refreshed and deleted. */
export type StepWork = (tx: ObjectTransaction) => Promise<Omit<StepResult, 'lsn'>>;
