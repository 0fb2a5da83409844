// Rooms that few processes need: each is loaded when it is first asked for.

/** Server and client of the line protocol of Harvest's gatherd, for `gatherer.gatherd-port`. */
export const gatherdPort = () => import('./serve/gatherd/index.ts');

/** The notations that annotations are imported from and exported in. */
export const annotationFiles = () => import('./annotate/annotation-files.ts');
