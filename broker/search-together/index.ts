// Searches several Brokers as one: their lists are merged by comparable scores, their facets are added up.
// Read search-together.ts, then merged-hits.ts and federated-search.ts.
export type { Choice, ChooseBrokers, ListedBroker } from './choose-brokers.ts';
export { federatedRoute } from './federated-route.ts';
export type { FederatedAnswer } from './federated-search.ts';
export { askAt, brokerBehind } from './remote-broker.ts';
export { searchTogether, type TogetherAnswer } from './search-together.ts';
