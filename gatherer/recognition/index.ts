// Which type a document has, by its name, its first bytes and what the server said. Read recognise.ts.
export { Recogniser, recognise } from './recognise.ts';
export { noTypeTables, type TypeRule, type TypeTables } from './type-tables.ts';
