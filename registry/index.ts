// The directory of servers: each server registers a signed description of itself with a lease, and a Registry lists
// those whose leases run. Its store, index and pages are those of a Broker; cli puts the two together. Read
// description.ts, then directory.ts and registration.ts.

export type { ServerType } from './description.ts';
export { type Alike, Directory, type GatheredBy, type ListedServer } from './directory.ts';
export { registryErrors } from './errors.ts';
export { registrarDesk } from './registrar.ts';
export { Registration } from './registration.ts';
export { directoryRoutes } from './routes.ts';
export { StoreFingerprint } from './store-fingerprint.ts';
