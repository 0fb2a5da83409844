// Presentation unnesting: takes the documents out of a document that wraps them (compressed files, archives, mail with
// attachments), one layer at a time, and single records out of a file of many (mailboxes, bibliographies, rows). All
// input is hostile: a budget that all layers of one document share limits depth, count, bytes and ratio. A refused
// document comes with a typed error, and its siblings still come. Read unnest.ts, then open-wrapper.ts, budget.ts and
// explode.ts.
export { UnnestBudget } from './budget.ts';
export { type ExplodableFormat, explodableFormat, explodableFormats, explode } from './explode.ts';
export { isMember, type Member, type Refused } from './member.ts';
export { listMembers, unnest } from './on-demand.ts';
export { carrierTypes, unnestableTypes, wrapperFormat } from './wrapper-format.ts';
