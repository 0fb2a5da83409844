// Takes files of many objects apart: mailboxes, bibliographies, and rows of data. Each reader gets the whole file,
// yields one record at a time and passes over what makes no sense; bounds on their number are the caller's.
export { bibtexRecords } from './bibtex.ts';
export { csvRecords } from './csv.ts';
export { jsonLineRecords } from './json-lines.ts';
export { mboxRecords } from './mbox.ts';
export type { ExplodedRecord } from './record.ts';
export { risRecords } from './ris.ts';
