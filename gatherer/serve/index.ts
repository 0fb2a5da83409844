export { classicSource } from './gatherd/classic-store.ts';
export { GatherdClient } from './gatherd/gatherd-client.ts';
export { type GatherdServer, serveGatherd } from './gatherd/gatherd-server.ts';
export { type PushLinkStatus, PushLinks, pushedWords } from './push-links.ts';
export { type GathererServing, gathererRoutes, gathererStatus } from './routes.ts';
