// Source distributions (Essence's SourceDistribution): an archive of sources as one object. `DistributionSigns` tells
// them by the names in them, `DistributionReader` takes their members one at a time and keeps extracts with a bound;
// package descriptions of many build and packaging programs are read in package-description.ts.
export { sourceDistributionAttributes } from './attributes.ts';
export { DistributionReader } from './distribution-reader.ts';
export { DistributionSigns } from './distribution-signs.ts';
