// Whether the sites of a server's addresses name it. Read address-proofs.ts, and publication/prefix-proof.ts for the
// document.
export { AddressProofs } from './address-proofs.ts';
