// Summarisers: one file for each kind of document, which turns a document into attributes and text. Read by-type.ts
// (type name to summariser), then summariser.ts and text/html.ts. text: web pages, mail and plain formats. data:
// tables, archives, JSON, XML. papers: PDF, office, TeX, troff. software: code, binaries, source distributions. media:
// pictures, sound, fonts.
export { sourceDistributions, summarisedTypes, summariserOf } from './by-type.ts';
export { isOwnName, isReserved, secondsFault } from './reserved-attributes.ts';
export type { DistributionSigns } from './software/source-distribution/distribution-signs.ts';
export type { Summary } from './summariser.ts';
