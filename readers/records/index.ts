// Files of many objects, split into records: mailboxes, bibliographies, and rows of data. Each reader gets
// the whole file, yields one record at a time and skips malformed parts; the caller bounds their number. Read
// record.ts, then csv.ts.
export { bibtexRecords } from './bibtex.ts';
export { csvRecords } from './csv.ts';
export { jsonLineRecords } from './json-lines.ts';
export { mboxRecords } from './mbox.ts';
export type { ExplodedRecord } from './record.ts';
export { risRecords } from './ris.ts';
