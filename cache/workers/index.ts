// Several processes for several cores: one has the store, and workers answer plain hits from copies and relay the rest.
// Before a newer response is sent or a purge confirmed, every worker has dropped its copies, or has been ended.
// Read workers.ts, then hit-worker.ts.
export { openHitWorker } from './hit-worker.ts';
export type { RelayPlace } from './relay.ts';
export { WorkerCopyLedger } from './worker-copy-ledger.ts';
export { openWorkers, type WorkerProcess, type Workers } from './workers.ts';
