/**
 * Microsoft Office. Documents since 2007 are packages (`office-open-xml`); before, a `CompoundFile` held streams: the
 * properties, and for each program a binary format of its own, of which the text is read.
 */
export { CompoundFile, isCompoundFile } from './compound-file.ts';
export { readExcelBinary } from './excel-binary.ts';
export { readPowerPointBinary } from './powerpoint-binary.ts';
export { readPropertySet } from './property-set.ts';
export { readWordBinary } from './word-binary.ts';
