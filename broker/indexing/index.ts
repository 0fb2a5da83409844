export { type BrokerCheck, type BrokerCheckOptions, checkBroker } from './broker-check.ts';
export { indexName } from './index-name.ts';
export { Indexer } from './indexer.ts';
