import type { Area } from './feature.ts';

export const typesByBytes: Area = {
  'bytes.veto': {
    feature: 'A name only proposes a type; bytes of another format refute it.',
    test: 'bytes refute the name: other formats, binary data as text, text as binary data',
  },
  'bytes.header': {
    feature: 'Bytes refute a type that the HTTP header proposes; then the name proposes one.',
    test: 'bytes refute the HTTP header; then the name proposes',
  },
  'bytes.fixed': {
    feature: 'Under no name is a document with the fixed bytes of a binary format a text.',
    test: 'under no name is a document with fixed bytes of a binary format a text',
  },
  'bytes.pace': {
    feature: 'Recognition reads only a bounded beginning of a document, under any name.',
    test: 'recognition of large hostile documents reads a bounded beginning under any name',
  },
  'bytes.zero': {
    feature: 'A single zero byte does not make a text or page binary.',
    test: 'single zero bytes do not make a text binary',
  },
  'bytes.sccs': {
    feature: 'A file called `s.something` is SCCS only if it begins as SCCS does.',
    test: 'a file called s.something is SCCS only by its bytes, else what its extension says',
  },
  'bytes.workbook': {
    feature: 'A workbook by name that is HTML, a table of text, XML or a saved page is read as that.',
    test: 'a workbook by name may be HTML, a table of text, XML, a saved page or another document',
  },
  'bytes.text-document': {
    feature:
      'A text document by name that is RTF, HTML, another package, plain text or a PDF is read as that.',
    test: 'a text document by name may be RTF, HTML, a package, plain text or a PDF',
  },
  'bytes.feed': {
    feature: 'A feed by name that is other XML, JSON or text is read as that.',
    test: 'a feed by name may be other XML, JSON or text',
  },
  'bytes.shared-names': {
    feature:
      'Extensions of several formats, such as `.ts`, `.m`, `.h`, `.pl` and `.dat`, are decided by bytes.',
    test: '.ts, .m, .h, .pl and .dat are what their bytes are',
  },
  'bytes.languages': {
    feature: 'The language of a program whose extension several languages have is that of the program.',
    test: 'the language of an extension that several languages have is that of the program',
  },
  'bytes.no-extension': {
    feature: 'A document without extension has the type of its bytes.',
    test: 'documents without extension have the type of their bytes',
  },
  'bytes.script': {
    feature: 'A `#!` line names the type, also behind `env -S`, its options and variables.',
    test: 'a #! line names the type, behind env, its options and its variables',
  },
  'bytes.editor': {
    feature: 'A line for Emacs or vim names the language of a program without extension.',
    test: 'a line for Emacs or vim names the language',
  },
  'bytes.film': {
    feature: 'An MPEG transport stream gives its codecs, languages, duration and service.',
    test: 'MPEG transport streams: codecs, language, duration and the service, also as cameras write them',
  },
  'bytes.refused': {
    feature: 'A document that the reader of its type refuses is read as another type, else as text.',
    test: 'a document that the reader of its type refuses is read as markup, else as text',
  },
  'bytes.tried': {
    feature: 'A document that no reader takes has its name, size and date, and says which types were tried.',
    test: 'a document that no reader takes has its name, size and date, and says what was tried',
  },
  'bytes.wrapper': {
    feature: 'A wrapper by name alone that cannot be unpacked is read as text.',
    test: 'a wrapper by name alone that cannot be unpacked is read as text; a broken one is not',
  },
  'bytes.packed': {
    feature: 'Packed bytes under the name of a text or document are unpacked.',
    test: 'packed bytes under the name of a text or document are unpacked',
  },
  'bytes.cut': {
    feature: 'An office document that is cut off gives the parts before its end.',
    test: 'a document that is cut off gives the parts before its end',
  },
  'bytes.selection': {
    feature: 'Allow and stop lists work on the type by which a document was read.',
    test: 'an allow list and a stop list work on the type by which a document was read',
  },
  'bytes.own-rules': {
    feature: 'A type by a rule of the operator is never refuted.',
    test: 'a type by a rule of the operator is never refuted',
  },
};
