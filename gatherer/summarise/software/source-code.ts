import { codeFacts, interpreterOf, languageOf } from '../../../readers/code/index.ts';
import type {
  AttributeNote,
  Extract,
  Field,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import {
  beginning,
  decodeText,
  extractOf,
  fact,
  keptLines,
  numbered,
  TextBlocks,
} from '../../../readers/text/index.ts';

/** What summaries of programs hold. */
export const sourceCodeAttributes: readonly AttributeNote[] = [
  {
    name: 'Description',
    what: 'First paragraph of the first comment or documentation string that says what the file does',
  },
  { name: 'Programming-Language', what: 'Language by the name, the #! line or the type' },
  { name: 'Interpreter', what: 'Program that the #! line names' },
  { name: 'Package', what: 'Packages, modules and namespaces that the file belongs to or opens, one a line' },
  { name: 'Classes', what: 'Names of classes defined, one a line' },
  {
    name: 'Types',
    what: 'Names of structures, interfaces, enumerations, type aliases and tables defined, one a line',
  },
  { name: 'Functions', what: 'Names of functions, methods, procedures and subroutines defined, one a line' },
  { name: 'Constants', what: 'Names of macros, enumerators and constants defined, one a line' },
  { name: 'Imports', what: 'Files included and modules imported, one a line' },
  { name: 'Author', what: 'Who comments name as author; several are numbered' },
  { name: 'Copyright', what: 'Lines that say who holds the copyright; several are numbered' },
  { name: 'License', what: 'SPDX expression, from its tag or from well-known phrases' },
  { name: 'Lines', what: 'Number of lines' },
  { name: 'Full-Text', what: 'The whole program' },
  { name: 'Partial-Text', what: 'Of its comments and documentation strings' },
];

/** No hand writes more; tables of data that are compiled in may be larger. */
const maxScanned = 16 * 1024 * 1024;

/**
 * Programs of some thirty languages: what they define and use, what their comments say, whose they are and under
 * which licence. Full text is the program; what is less is made of its comments. Other code gets its comments alone.
 */
export function summariseSourceCode(document: RecognisedDocument, options: SummariseOptions): Extract {
  const text = decodeText(document.bytes, document.charset).replace(/\r\n?/g, '\n');
  const language = languageOf(document, text);
  const facts = codeFacts(beginning(text, maxScanned), language);
  const blocks = new TextBlocks(options);
  if (options.text === 'full') blocks.add(keptLines(text), 'pre');
  else
    for (const comment of facts.comments)
      for (const paragraph of comment.split('\n\n')) if (blocks.open) blocks.add(paragraph, 'paragraph');
  const { names } = facts;
  const fields: Field[] = [
    fact('Description', facts.description),
    fact('Programming-Language', language.name),
    fact('Interpreter', interpreterOf(text)),
    names.package.field('Package'),
    names.class.field('Classes'),
    names.type.field('Types'),
    names.function.field('Functions'),
    names.constant.field('Constants'),
    names.import.field('Imports'),
    ...numbered('Author', facts.authors),
    ...numbered('Copyright', facts.copyrights),
    fact('License', facts.licence),
    fact('Lines', lineCount(text)),
  ];
  const notes =
    text.length > maxScanned ? [`Only the first ${maxScanned} characters were looked at for names.`] : [];
  if (facts.cut) notes.push('Some names or comments were left out: too many.');
  return extractOf({ fields, blocks, notes });
}

function lineCount(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.endsWith('\n') ? lines : lines + 1;
}
