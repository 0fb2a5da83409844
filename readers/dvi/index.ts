// DVI, the device-independent file of TeX: `DviReader` executes its commands, readers/pages makes paragraphs
// of the text. Read dvi-reader.ts.
export { DviReader } from './dvi-reader.ts';
