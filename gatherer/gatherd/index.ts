// An optional port that speaks the line protocol of Harvest's gatherd (1996), so that a Broker of that time can
// collect from a Gatherer, and a client of it. Begin with gatherd-session.ts, which holds the commands. It is off
// unless a port is set, listens on loopback unless told otherwise, and lets in whom its access list names.
export type { ClassicSource } from './classic-source.ts';
export { type ClassicGatherer, classicSource } from './classic-store.ts';
export { gatherdErrors } from './errors.ts';
export { gatherdFault, gatherdSessionEnded } from './events.ts';
export { type GatherdAddress, GatherdClient } from './gatherd-client.ts';
export { type GatherdOptions, type GatherdServer, serveGatherd } from './gatherd-server.ts';
export { gatherdSettings } from './settings.ts';
