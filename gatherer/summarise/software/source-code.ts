import { codeFacts, interpreterOf, languageOf } from '../../../readers/code/index.ts';
import type { AttributeNote, Field } from '../../../readers/document/index.ts';
import {
  beginning,
  decodeText,
  extractOf,
  fact,
  keptLines,
  numbered,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of programs. */
export const sourceCodeAttributes: readonly AttributeNote[] = [
  {
    name: 'Description',
    what: 'First paragraph of the first comment or documentation string that describes the file',
  },
  { name: 'Programming-Language', what: 'Language by the name, the #! line or the type' },
  { name: 'Interpreter', what: 'Program that the #! line names' },
  {
    name: 'Package',
    what: 'Packages, modules and namespaces that the file belongs to or opens, one per line',
  },
  { name: 'Classes', what: 'Names of classes defined, one per line' },
  {
    name: 'Types',
    what: 'Names of structures, interfaces, enumerations, type aliases and tables defined, one per line',
  },
  {
    name: 'Functions',
    what: 'Names of functions, methods, procedures and subroutines defined, one per line',
  },
  { name: 'Constants', what: 'Names of macros, enumerators and constants defined, one per line' },
  { name: 'Imports', what: 'Files included and modules imported, one per line' },
  { name: 'Author', what: 'Author that the comments name; several are numbered' },
  { name: 'Copyright', what: 'Lines that name the copyright holder; several are numbered' },
  { name: 'License', what: 'SPDX expression, from its tag or from well-known phrases' },
  { name: 'Lines', what: 'Number of lines' },
  { name: 'Full-Text', what: 'The whole program' },
  { name: 'Partial-Text', what: 'Text of its comments and documentation strings' },
];

/** Max scanned characters; only compiled-in tables of data are larger. */
const maxScanned = 16 * 1024 * 1024;

/** Programs: definitions, imports, authors, licence; the text is the program, below `full` its comments. */
export const summariseSourceCode: SyncSummariser = (document, options) => {
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
    text.length > maxScanned ? [`Only the first ${maxScanned} characters were searched for names.`] : [];
  if (facts.cut) notes.push('Some names or comments were left out: too many.');
  return extractOf({ fields, blocks, notes });
};

function lineCount(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.endsWith('\n') ? lines : lines + 1;
}
