// The steps that change a store, each one atomic batch, and the snapshots that read it. Read object-transaction.ts, then
// object-snapshot.ts.
export { deletedObjects, refreshedObjects, updatedObjects } from './changed-objects.ts';
export {
  describeObject,
  type LoggedChange,
  ObjectSnapshot,
  sourceState,
  withdrawalsOf,
} from './object-snapshot.ts';
export { type ObjectToStore, ObjectTransaction } from './object-transaction.ts';
export { isOwn, sourcesAmong, withSource } from './own-claim.ts';
export { readObject, SetSnapshot } from './set-snapshot.ts';
export {
  applyOperations,
  type StepResult,
  type StepWork,
  type StoredObject,
  type StoreOperation,
} from './store-step.ts';
