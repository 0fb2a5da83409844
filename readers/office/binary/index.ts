// The binary formats of Microsoft Office before 2007: a `CompoundFile` holds streams, one with the properties
// and one for the text of each program. Read compound-file.ts, then word-binary.ts.
export { CompoundFile, isCompoundFile } from './compound-file.ts';
export { readExcelBinary } from './excel-binary.ts';
export { type ObjectContent, objectContent } from './object-content.ts';
export { readPowerPointBinary } from './powerpoint-binary.ts';
export { readPropertySet } from './property-set.ts';
export { readWordBinary } from './word-binary.ts';
