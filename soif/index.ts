// The record that Garner exchanges: summary objects in SOIF, their text and binary forms, digests and
// signatures. Nothing here knows files, networks or time. SoifParser (parseSoif) reads text; printObject and
// printStream write it; between Garner's own programs an object travels in binary form; its digest shows
// whether it changed. Read summary-object.ts, then text-parser.ts. README.md lists the decision for each
// doubtful case of the format.

export { decodeObject, encodeObject } from './binary-form.ts';
export { digestOf } from './canonical.ts';
export { checkSoif, type SoifCheckSummary, type SoifFinding } from './check.ts';
export { type SoifPlace, soifErrors } from './errors.ts';
export {
  type AnchoredHeading,
  decodeAnchors,
  encodeAnchors,
  headingSlug,
  headingsOf,
} from './heading-anchors.ts';
export { isOid, type Oid, oidBytes, oidFromBytes, oidOf, type ServerId } from './identifiers.ts';
export {
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  provenanceBytes,
  succeedingSecret,
  withdrawalBytes,
} from './identity.ts';
export {
  decodeKeyLinks,
  encodeKeyLinks,
  type KeyLink,
  type KnownKey,
  keyLink,
  keyLinkBytes,
  maxKeyLinks,
  type Succession,
  type SuccessionOutcome,
  successionFrom,
  successionOf,
} from './key-succession.ts';
export type { SoifLimits } from './limits.ts';
export { multiValue, type NameParts, nameParts } from './multi-value.ts';
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
export type { SoifSection } from './syntax.ts';
export {
  parseSoif,
  type SoifItem,
  type SoifJunk,
  SoifParser,
  type SoifParserOptions,
} from './text-parser.ts';
export { printObject, printStream, type StreamSections } from './text-printer.ts';
export { verifier } from './verifier.ts';
