/** DVI, the device-independent file of TeX: `DviReader` follows its commands, page-text makes paragraphs of it. */
export { DviReader } from './dvi-reader.ts';
