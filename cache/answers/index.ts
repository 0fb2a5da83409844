// Builds answers from stored responses: selects the response, whole or in parts, and prebuilds heads. Read
// selection.ts, then answers.ts.
export { answerFrom, type ContentSource, withCookies, withOwnFields } from './answers.ts';
export { type ReadyMetadata, readyHeadOf, validatorsOf } from './ready-head.ts';
export { keyed, missingFields, type Selection, select } from './selection.ts';
export { severalParts } from './several-parts.ts';
export { StoredContent, skipTo } from './stored-content.ts';
