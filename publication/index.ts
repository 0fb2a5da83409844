// Signed objects over HTTP, for publishers without a wire session: what a publication is, the desk that verifies and
// stores it, its route, and the call that sends it; and the proof by a site that a server may speak of its addresses.
export { publicationErrors } from './errors.ts';
export {
  type ProofState,
  proofRoute,
  siteOf,
} from './prefix-proof.ts';
export { ProofBook } from './proof-book.ts';
export { type Publication, publicationOf, withdrawalOf } from './publication.ts';
export { PublicationDesk } from './publication-desk.ts';
export { publicationRoute } from './publication-route.ts';
export { publish } from './publish.ts';
