// An optional port with the line protocol of Harvest's Broker (1996), for search, bulk transfer and
// administration by clients of that time. Read classic-session.ts (the replies), then classic-query.ts.
export { type ClassicOrders, classicBroker } from './classic-broker.ts';
export { serveClassic } from './classic-server.ts';
