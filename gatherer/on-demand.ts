// Rooms that few processes need: each is loaded when it is first asked for.

/** Server and client of the line protocol of Harvest's gatherd, for `gatherer.gatherd-port`. */
export const gatherdPort = () => import('./serve/gatherd/index.ts');
