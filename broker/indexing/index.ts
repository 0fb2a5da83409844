// Keeps an engine's index in step with the object store, and checks the one against the other.
// Read indexer.ts, then index-check.ts.
export { AttributeNames } from './attribute-names.ts';
export { type BrokerCheck, type BrokerCheckOptions, checkBroker } from './broker-check.ts';
export { Indexer, indexName } from './indexer.ts';
