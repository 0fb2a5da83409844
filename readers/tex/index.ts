// TeX source: LaTeX and Texinfo, read without running TeX. Read latex-reader.ts, then latex-scanner.ts.

export { texWords } from './latex-characters.ts';
export { LatexReader } from './latex-reader.ts';
export { TexinfoReader } from './texinfo-reader.ts';
