// The keys of registered servers, and the list of those that changed, which Brokers read. Read registrar-keys.ts, then
// key-watch.ts, the side of a Broker.

export { type KeyEntry, type KeyPage, keyRoutes } from './key-routes.ts';
export { KeyWatch } from './key-watch.ts';
export { RegistrarKeys } from './registrar-keys.ts';
