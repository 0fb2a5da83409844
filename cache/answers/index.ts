// What a client is answered from what is stored: which response is meant, whole or in parts, and heads that are made
// ahead. Read selection.ts, then answers.ts.
export { answerFrom, type ContentSource, withCookies, withOwnFields } from './answers.ts';
export { keyed } from './keyed.ts';
export { missingFields } from './missing-part.ts';
export { type ReadyMetadata, readyHeadOf, validatorsOf } from './ready-head.ts';
export { type Selection, select } from './selection.ts';
export { severalParts } from './several-parts.ts';
export { skipTo } from './slices.ts';
export { StoredContent } from './stored-content.ts';
