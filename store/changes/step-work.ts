import type { ObjectTransaction } from './object-transaction.ts';
import type { StepResult } from './store-step.ts';

/** What is done in one step; resolves to how much that was. */
export type StepWork = (tx: ObjectTransaction) => Promise<Omit<StepResult, 'lsn'>>;
