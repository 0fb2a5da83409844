// An optional port that speaks the line protocol of Harvest's Broker (1996), so that a client of that time can
// search, take everything in bulk, and administer. Begin with classic-session.ts, which holds the replies, and
// classic-query.ts, which reads the query grammar of the time.
export { type ClassicOrders, classicBroker } from './classic-broker.ts';
export { serveClassic } from './classic-server.ts';
