/**
 * Microsoft Office. Documents since 2007 are packages (`office-open-xml`); before, a `CompoundFile` held streams: the
 * properties, and for each program a binary format of its own, of which the text is read.
 */
export { msOfficeAttributes, summariseMsOffice } from './ms-office.ts';
