// Signed objects over HTTP, for publishers without a wire session: what a publication is, the desk that verifies and
// stores it, its route, and the call that sends it; and the proof by a site that a server may speak of its addresses.
export { ClientGate } from './client-gate.ts';
export { type PublicationFailure, publicationErrors } from './errors.ts';
export { guardedRoute } from './guarded-route.ts';
export {
  isNamed,
  type NamedServer,
  type ProofState,
  proofRoute,
  siteOf,
} from './prefix-proof.ts';
export { ProofBook } from './proof-book.ts';
export { type Publication, publicationOf, withdrawalOf } from './publication.ts';
export { PublicationDesk, type Published } from './publication-desk.ts';
export type { UnsignedPublication } from './publication-request.ts';
export { type PublicationTaker, publicationRoute } from './publication-route.ts';
export { publish, publishSoif } from './publish.ts';
export { RefusalReports } from './refusal-reports.ts';
