// The record that Garner exchanges: summary objects in SOIF, their text and binary forms, digests and
// signatures. Nothing here knows files, networks or time. SoifParser (parseSoif) reads text; printObject and
// printStream write it; between Garner's own programs an object travels in binary form; its digest shows
// whether it changed. Read summary-object.ts, then text-parser.ts. README.md lists the decision for each
// doubtful case of the format.

export { decodeObject, encodeObject } from './binary-form.ts';
export { digestOf } from './canonical.ts';
export { checkSoif } from './check.ts';
export { soifErrors } from './errors.ts';
export { isOid, type Oid, oidBytes, oidFromBytes, oidOf, type ServerId } from './identifiers.ts';
export {
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  provenanceBytes,
  verifier,
} from './identity.ts';
export { multiValue, nameParts } from './multi-value.ts';
export { applyDelta, deltaOf } from './object-delta.ts';
export {
  type Attribute,
  Attributes,
  attributeNumber,
  attributeText,
  attributeTexts,
  baseName,
  type SummaryObject,
  summaryObject,
} from './summary-object.ts';
export { parseSoif, type SoifItem, SoifParser } from './text-parser.ts';
export { printObject, printStream } from './text-printer.ts';
