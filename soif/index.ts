// The record that Garner exchanges: summary objects in SOIF, their text and binary forms, and who vouches for
// them. Nothing here knows files, networks or time. Text comes in through SoifParser (parseSoif) and goes out
// through printObject and printStream; between our own programs an object travels in binary form; its digest says
// whether it changed. README.md lists how each doubtful case of the format is decided.
export { Attributes } from './attributes.ts';
export { decodeObject, encodeObject } from './binary-form.ts';
export { digestOf } from './canonical.ts';
export { checkSoif } from './check.ts';
export { soifErrors } from './errors.ts';
export { isOid, type Oid, oidBytes, oidFromBytes, oidOf, type ServerId } from './identifiers.ts';
export { type Identity, type IdentitySecret, identityFrom, newIdentitySecret, verifier } from './identity.ts';
export { multiValue, nameParts } from './multi-value.ts';
export { applyDelta, deltaOf } from './object-delta.ts';
export { provenanceBytes } from './provenance.ts';
export {
  type Attribute,
  attributeNumber,
  attributeText,
  attributeTexts,
  baseName,
  type SummaryObject,
  summaryObject,
} from './summary-object.ts';
export { parseSoif, type SoifItem, SoifParser } from './text-parser.ts';
export { printObject, printStream } from './text-printer.ts';
