export { LatexReader } from './latex-reader.ts';
export { texWords } from './tex-words.ts';
export { TexinfoReader } from './texinfo-reader.ts';
