// EPUB: the package document describes the book and the order of its pages, which the HTML reader reads. Read
// package.ts.
export { readPackage } from './package.ts';
