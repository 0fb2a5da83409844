// The object table asked like a table: which columns objects have, and rows by condition. Read table-question.ts, then
// table-reader.ts.
export { tableFormat } from './table-document.ts';
export type { TableQuestion } from './table-question.ts';
export { TableReader } from './table-reader.ts';
