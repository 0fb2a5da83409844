// Server and client of the line protocol of Harvest's gatherd.
export { classicSource } from './classic-store.ts';
export { GatherdClient } from './gatherd-client.ts';
export { serveGatherd } from './gatherd-server.ts';
