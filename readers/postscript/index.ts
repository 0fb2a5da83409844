/**
 * PostScript, a program that draws pages. Ghostscript runs it where installed; else a plain reader takes the strings
 * that known programs show. `readStructuringComments` reads what the file says of itself.
 */
export { readPlainPostScript } from './plain-text.ts';
export { readStructuringComments } from './structuring-comments.ts';
