// Several Brokers asked as one: their lists merged by comparable scores, their facets added up. Read
// search-together.ts, then merged-hits.ts.
export { askAt, brokerBehind } from './remote-broker.ts';
export { searchTogether, type TogetherAnswer } from './search-together.ts';
