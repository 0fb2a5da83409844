// Programs: separating comments and strings from code (`scanCode`, by one table of signs per family of
// languages), names that a program defines and uses (`codeFacts`: by lines, or by statements and braces where
// heads span lines), comments as prose, authors and licences. `languages.ts` is the table of languages. Read
// languages.ts, then code-scanner.ts and code-facts.ts.
export { codeFacts } from './code-facts.ts';
export {
  ambiguousLanguage,
  editorLanguage,
  interpreterOf,
  languageOf,
  languageOfInterpreter,
  languageOfName,
  plainCode,
} from './languages.ts';
export { authorNames, copyrightLines, licenceOf } from './licence.ts';
export { readRcsFile } from './rcs-file.ts';
export { readSccsFile } from './sccs-file.ts';
