// Several cores: further processes that only answer plain hits. One process has the store and decides everything, as it does
// alone; its workers accept on the same port, answer from copies that were handed to them for as long as those are fresh,
// and relay every other request and connection to it. Before it answers with anything new under a URL, or says that
// something is purged, every worker has said that it dropped what it had, or has been ended.
export { openHitWorker } from './hit-worker.ts';
export type { RelayPlace } from './relay.ts';
export { WorkerCopyLedger } from './worker-copy-ledger.ts';
export { openWorkers, type WorkerProcess, type Workers } from './workers.ts';
