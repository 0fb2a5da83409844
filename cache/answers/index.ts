// Builds answers from stored responses: selects the response, whole or in parts, and prebuilds heads. Read
// selection.ts, then answers.ts.
export { answerFrom, type ContentSource, withCookies, withOwnFields } from './answers.ts';
export { keyed } from './keyed.ts';
export { missingFields } from './missing-part.ts';
export { type ReadyMetadata, readyHeadOf, validatorsOf } from './ready-head.ts';
export { type Selection, select } from './selection.ts';
export { severalParts } from './several-parts.ts';
export { skipTo } from './slices.ts';
export { StoredContent } from './stored-content.ts';
