// Programs: telling comments and strings from code (`scanCode`, by one table of signs per family of languages), what a
// program defines and uses (`codeFacts`: by lines, or by statements and braces where heads span lines), comments as
// prose, and whose it is under which licence. `languages.ts` is the table of languages.
export { codeFacts } from './code-facts.ts';
export { interpreterOf, languageOf, languageOfName, plainCode } from './languages.ts';
export { authorNames, copyrightLines, licenceOf } from './licence.ts';
export { readRcsFile } from './rcs-file.ts';
export { readSccsFile } from './sccs-file.ts';
