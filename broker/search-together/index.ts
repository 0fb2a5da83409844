// Searches several Brokers as one: their lists are merged by comparable scores, their facets are added up.
// Read search-together.ts, then merged-hits.ts.
export { federatedRoute, searchFederated } from './federated-route.ts';
export { askAt, brokerBehind } from './remote-broker.ts';
export { searchTogether, type TogetherAnswer } from './search-together.ts';
