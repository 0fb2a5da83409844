import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  isArLibrary,
  isCoffObject,
  isElf,
  isJavaClass,
  isWebAssembly,
  machOKind,
  type ProgramFacts,
  peOffset,
  programFields,
  programTexts,
  readArLibrary,
  readCoffObject,
  readElf,
  readJavaClass,
  readMachO,
  readPe,
  readWebAssembly,
} from '../../../readers/executables/index.ts';
import { extractOf, keptLines, numbered, oneLine, TextBlocks } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of executables, libraries and object files. */
export const binaryAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'File format with its word size and byte order' },
  { name: 'Machine', what: 'Processor it runs on' },
  {
    name: 'Object-Kind',
    what: 'Executable, shared library, relocatable object, static library, kernel module, class',
  },
  { name: 'System', what: 'Operating system or binary interface' },
  { name: 'Interpreter', what: 'Program loader that it requires' },
  { name: 'Soname', what: "Library's own name" },
  { name: 'Build-Id', what: 'Build identifier or UUID in hexadecimal' },
  { name: 'Producer', what: 'Compiler or linker named in it' },
  { name: 'Sections', what: 'Number of sections' },
  { name: 'Stripped', what: '"yes" when it has no symbol table besides that for dynamic linking' },
  { name: 'Load-Commands', what: 'Number of load commands of a Mach-O file' },
  { name: 'Description', what: 'Description in a version resource or kernel module' },
  { name: 'Product', what: 'Product named by a version resource' },
  { name: 'Organization', what: 'Company named by a version resource' },
  { name: 'Internal-Name', what: 'Internal name of a version resource' },
  { name: 'Original-Name', what: 'Original file name of a version resource' },
  { name: 'Comments', what: 'Comments of a version resource' },
  { name: 'Package', what: 'Package named by a packaging note' },
  { name: 'Author', what: 'Author of a kernel module' },
  { name: 'License', what: 'Licence of a kernel module, as written' },
  { name: 'Firmware', what: 'Firmware files that a kernel module requires' },
  { name: 'Extends', what: 'Class and interfaces that a Java class extends and implements' },
  { name: 'Classes', what: 'Full name of a Java class' },
  { name: 'Source-File', what: 'Source file a Java class was compiled from' },
  { name: 'Members', what: 'Members of a static library, one per line' },
  { name: 'Needed-Libraries', what: 'Shared libraries it is linked with, one per line' },
  {
    name: 'Defined-Symbols',
    what: 'Global names it defines, C++ and Rust names without types, one per line',
  },
  { name: 'Undefined-Symbols', what: 'Global names it uses from other files, one per line' },
  { name: 'Usage', what: 'Usage texts found in it; several are numbered' },
  { name: 'Version', what: 'Version texts found in it; several are numbered' },
  { name: 'Copyright', what: 'Copyright texts found in it; several are numbered' },
  { name: 'Full-Text', what: 'Every text in it that holds words' },
  { name: 'Partial-Text', what: 'Usage, version and copyright texts, addresses of people and sites' },
];

const maxReported = 8;

/** Programs, libraries and objects: header, symbols, needed libraries, texts; of others only texts. */
export const summariseBinary: SyncSummariser = (document, options) => {
  const { bytes } = document;
  const facts = readProgram(bytes);
  const texts = programTexts(facts?.texts ?? [bytes]);
  const blocks = new TextBlocks(options);
  for (const text of options.text === 'full' ? texts.worded : texts.telling)
    if (blocks.open) blocks.add(keptLines(text), 'pre');
  const fieldsOf = (name: string, values: readonly string[]) =>
    numbered(name, values.map(oneLine).filter(Boolean).slice(0, maxReported));
  const known = new Set(facts?.fields.map(([name]) => name));
  return extractOf({
    title: facts?.title,
    fields: [
      ...(facts === undefined ? [] : programFields(facts)),
      ...fieldsOf('Usage', texts.usages),
      ...(known.has('Version') ? [] : fieldsOf('Version', texts.versions)),
      ...(known.has('Copyright') ? [] : fieldsOf('Copyright', texts.copyrights)),
    ],
    blocks,
    notes: facts?.notes ?? [],
  });
};

function readProgram(bytes: Uint8Array): ProgramFacts | undefined {
  if (isElf(bytes)) return readElf(bytes);
  if (isArLibrary(bytes)) return readArLibrary(bytes);
  if (isJavaClass(bytes)) return readJavaClass(bytes);
  if (machOKind(bytes) !== undefined) return readMachO(bytes);
  if (isWebAssembly(bytes)) return readWebAssembly(bytes);
  const pe = peOffset(bytes);
  if (pe !== undefined) return readPe(bytes, pe);
  return isCoffObject(bytes) ? readCoffObject(bytes) : undefined;
}
