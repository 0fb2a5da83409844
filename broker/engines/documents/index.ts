// What an index keeps of each document beside its words: columns, details, facet values, orders and links in. Read
// doc-columns.ts, then doc-details.ts.
export { DocColumns, type DocRow } from './doc-columns.ts';
export { DetailColumn, type DetailRows, type DetailView, DocDetails } from './doc-details.ts';
export { DocOids } from './doc-oids.ts';
export {
  bytesMark,
  countedAttributes,
  facetValuesOf,
  modifiedOf,
  monthOf,
  separateValues,
  sizeOf,
  timeFacets,
  titleKey,
  titleOrder,
  urlKey,
  urlOrder,
} from './facet-attributes.ts';
export { FacetKind, FacetValues, firstAttributeKind } from './facet-values.ts';
export { linkingHosts, linkWrites } from './link-counts.ts';
export { objectsIn } from './objects-in.ts';
export { oidLength, oidsIn } from './oid-list.ts';
export { type OidTable, oidRows, packedOids } from './oid-tables.ts';
export { orderRows, packedOrderTexts } from './order-texts.ts';
