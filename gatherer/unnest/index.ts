// Presentation unnesting: takes the documents out of a document that wraps them (compressed files, archives, mail
// with attachments), one layer at a time, and takes single records out of a file of many (mailboxes, bibliographies,
// rows). Everything read here is hostile: a budget shared by all layers of one document bounds depth, count, bytes
// and ratio, a decoder never holds more than its window, and what is refused comes with a typed error while its
// siblings still come. Begin with unnest.ts; decoders/ unpack bytes, containers/ read archives, exploders/ split files.
export { UnnestBudget } from './budget.ts';
export { type ExplodableFormat, explodableFormat, explodableFormats, explode } from './explode.ts';
export { listMembers } from './listing.ts';
export { isMember, type Member, type Refused } from './member.ts';
export { unnest } from './unnest.ts';
export { unnestableTypes, wrapperFormat } from './wrapper-format.ts';
