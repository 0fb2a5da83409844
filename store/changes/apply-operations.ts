import type { ObjectTransaction } from './object-transaction.ts';
import type { StepResult, StoreOperation } from './store-step.ts';

/** Do these operations in order; resolves to what they did, by number of objects. */
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
    else deleted += (await tx.delete(operation.oid)) ? 1 : 0;
  }
  return { changed, refreshed, deleted };
}
