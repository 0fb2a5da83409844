// Rooms that few processes need: each is loaded when it is first asked for.

/** The port of Harvest's Broker, for `broker.classic-port`. */
export const classicPort = () => import('./classic/index.ts');

/** Searches of several Brokers as one. */
export const searchesTogether = () => import('./search-together/index.ts');

/** Documents that publishers send over HTTP, for `broker.publishers`. */
export const publishing = () => import('./publishing/index.ts');

/** The class of the engine `glimpse`, for `broker.engine`. */
export const glimpseEngine = async () => (await import('./engines/glimpse/glimpse-engine.ts')).GlimpseEngine;
