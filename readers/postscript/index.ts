// PostScript, a program that draws pages. Ghostscript runs it where installed; else a plain reader takes the
// strings that known programs show. `readStructuringComments` reads the comments of the file. Read
// plain-text.ts, then scanner.ts.
export { readPlainPostScript } from './plain-text.ts';
export { readStructuringComments } from './structuring-comments.ts';
