/** EPUB: the package document says what a book is and in which order its pages are read; the HTML reader reads them. */
export { readPackage } from './package.ts';
