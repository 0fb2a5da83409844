// A Gatherer's servers: HTTP routes (routes.ts) with its start page, pushes to Brokers (push-links.ts), and the line
// protocol of Harvest. Read routes.ts first.
// gatherd: server and client of the line protocol of Harvest's gatherd.
export type { GatherdClient } from './gatherd/gatherd-client.ts';
export type { GatherdServer } from './gatherd/gatherd-server.ts';
export { type PushLinkStatus, PushLinks, pushedWords } from './push-links.ts';
export { type GathererServing, gathererRoutes, gathererStatus } from './routes.ts';
