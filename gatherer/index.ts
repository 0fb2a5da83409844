// Runs at or near a provider: enumerates its documents, recognises and selects them by type, summarises them, and
// keeps the summaries in a production store that others collect from. A document is read once, where it lies; what
// did not change is neither read nor written again. A document's way through here: enumerator.ts, recognise.ts,
// select.ts, summarise.ts, production.ts; gatherer.ts puts them together and gather-loop.ts keeps going.
export { ClassicStream } from './classic-stream.ts';
export type { DocumentInput } from './document.ts';
export { enumerationErrors } from './enumeration-errors.ts';
export { enumerationSettings } from './enumeration-settings.ts';
export type { Enumerator } from './enumerator.ts';
export { gathererErrors } from './errors.ts';
export { documentDone, gathererFault, type RunReport, runFinished } from './events.ts';
export { FolderEnumerator } from './folder-enumerator.ts';
export { GatherLoop } from './gather-loop.ts';
export { Gatherer, type GathererOptions, type WhyReport } from './gatherer.ts';
export { type GathererServing, type GathererStatus, gathererRoutes, gathererStatus } from './routes.ts';
export { gathererSettings } from './settings.ts';
export { siteRoutes } from './site-routes.ts';
export { summariseErrors } from './summarise-errors.ts';
export { summaryReduced } from './summarise-events.ts';
export { WebEnumerator } from './web-enumerator.ts';
