// Several processes for several cores: one process has the store and decides everything, and workers answer
// plain hits. Workers accept on the same port, answer from copies as long as those are fresh, and relay every
// other request and connection. Before the process with the store answers with a newer response under a URL,
// or confirms a purge, every worker has confirmed that it dropped its copies, or has been ended. Read
// workers.ts, then hit-worker.ts.
export { openHitWorker } from './hit-worker.ts';
export type { RelayPlace } from './relay.ts';
export { WorkerCopyLedger } from './worker-copy-ledger.ts';
export { openWorkers, type WorkerProcess, type Workers } from './workers.ts';
