// From scores to a page of results: ordered, folded, grouped and counted. Read result-page.ts.
export { namedFacet, sortedFacets } from './facet-counts.ts';
export { answerOf, type FoundObjects, listOfAll, type ResultParts } from './result-page.ts';
