export { applyOperations } from './apply-operations.ts';
export { deletedObjects, refreshedObjects, updatedObjects } from './changed-objects.ts';
export {
  describeObject,
  type LoggedChange,
  ObjectSnapshot,
  readObject,
  sourceState,
} from './object-snapshot.ts';
export { type ObjectToStore, ObjectTransaction } from './object-transaction.ts';
export type { StepWork } from './step-work.ts';
export type { StepResult, StoredObject, StoreOperation } from './store-step.ts';
