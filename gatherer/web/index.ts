// Crawls a site over HTTP: what to read next, what is in scope, and the lists of pages that sites give. Read
// web-enumerator.ts, then web-crawl.ts.
export { type Reading, readCandidate, tooLargeRule } from './candidate-reader.ts';
export { crawlDelayMs } from './crawl-delay.ts';
export { isProviderFault, isSilence, robotsFault } from './provider-fault.ts';
export { ReadingWindow } from './reading-window.ts';
export { maxUrlLength, normaliseUrl } from './site-scope.ts';
export { UrlSet } from './url-set.ts';
export { WebEnumerator, type WebEnumeratorOptions } from './web-enumerator.ts';
