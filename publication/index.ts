// Signed objects over HTTP, for publishers without a wire session: what a publication is, the desk that verifies and
// stores it, its route, and the call that sends it.
export { ClientGate } from './client-gate.ts';
export { type PublicationFailure, publicationErrors } from './errors.ts';
export { guardedRoute } from './guarded-route.ts';
export { type Publication, publicationOf, withdrawalOf } from './publication.ts';
export { PublicationDesk, type Published } from './publication-desk.ts';
export { publicationRoute } from './publication-route.ts';
export { publish } from './publish.ts';
export { RefusalReports } from './refusal-reports.ts';
