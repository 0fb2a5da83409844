// Signed objects over HTTP, for publishers without a wire session: what a publication is, the desk that verifies and
// stores it, its route, and the call that sends it.
export { publicationErrors } from './errors.ts';
export { type Publication, publicationOf, withdrawalOf } from './publication.ts';
export { type DeskOptions, PublicationDesk, type Published } from './publication-desk.ts';
export type { UnsignedPublication } from './publication-request.ts';
export { type PublicationTaker, publicationRoute } from './publication-route.ts';
export { publish, publishSoif } from './publish.ts';
