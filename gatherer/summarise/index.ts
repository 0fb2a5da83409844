// One file or folder for each kind of document, found by type name in by-type.ts.
export { summarisedTypes, summariserOf } from './by-type.ts';
export { isOwnName, isReserved, secondsFault } from './reserved-attributes.ts';
export type { DistributionSigns } from './software/source-distribution/distribution-signs.ts';
export { sourceDistributions } from './software/source-distributions.ts';
export type { Summary } from './summariser.ts';
