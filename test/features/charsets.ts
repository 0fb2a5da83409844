import type { Area } from './feature.ts';

export const charsets: Area = {
  'charset.statistics': {
    feature:
      'Text without a label is decoded by the statistics of its letters, in single-byte and East Asian charsets.',
    test: 'text without a label is recognised by statistics, in the charsets of twelve languages',
  },
  'charset.ladder': {
    feature:
      'A byte order mark, the header, the declaration, zero bytes, escapes, UTF-8, single lines, statistics and windows-1252 decide in this order.',
    test: 'each rung decides where none above it does',
  },
  'charset.vote': {
    feature: 'Where header and declaration name different charsets that the bytes allow, statistics decide.',
    test: 'where header and declaration differ and the bytes allow both, the statistics decide',
  },
  'charset.formats': {
    feature:
      'Feeds, front matter, bibliographies, JSON lines, tables, notebooks, cards, calendars and others are decoded by the same rules.',
    test: 'text of every format is decoded by the same rules, whatever its label',
  },
  'charset.members': {
    feature: 'Members of CSV, BibTeX, RIS, JSON lines and mailboxes are decoded as their file is.',
    test: 'members that become objects of their own are decoded as their whole file is',
  },
  'charset.archives': {
    feature: 'Names in tar and cpio archives are decoded by all the names of the archive.',
    test: 'names in tar and cpio archives are decoded by all the names of the archive',
  },
  'charset.archive-tools': {
    feature: 'Names that tools wrote in UTF-8 into tar, zip, 7z and cpio archives are read, declared or not.',
    test: 'names beyond ASCII, from tools that declare UTF-8 and tools that do not',
  },
  'charset.tags': {
    feature: 'Texts in EXIF and ID3 are decoded by the same rules.',
    test: 'texts in EXIF and ID3 are decoded by the same rules',
  },
  'charset.label': {
    feature:
      'A declared charset decides unless the bytes refute it, and a label that names nothing is ignored.',
    test: 'a label decides unless the bytes refute it; one that names nothing is no label',
  },
  'charset.spellings': {
    feature: 'Labels are understood as programs write them, such as `cp1251`, `win-1251` and `x-sjis`.',
    test: 'labels as programs write them',
  },
  'charset.utf8': {
    feature: 'Valid UTF-8 is never taken for anything else, whatever the label.',
    test: 'valid UTF-8 is never taken for anything else, whatever the label',
  },
  'charset.windows-1252': {
    feature: 'Text labelled windows-1252 or ISO-8859-1 keeps its quotation marks, dashes and euro signs.',
    test: 'windows-1252 has its quotation marks and its euro, where a label says ISO-8859-1 too',
  },
  'charset.lines': {
    feature: 'One line in another charset does not spoil a text in UTF-8.',
    test: 'text in UTF-8 but for single lines or bytes keeps its UTF-8',
  },
  'charset.macintosh': {
    feature: 'Text of an old Macintosh is recognised by its line ends.',
    test: 'lines that end in CR alone are MacRoman, if their letters are Latin',
  },
  'charset.iso-2022-jp': {
    feature: 'ISO-2022-JP is recognised by its escape sequences.',
    test: 'ISO-2022-JP is seen by its escape sequences',
  },
  'charset.editor': {
    feature: 'A charset in an editor’s line or a style sheet’s `@charset` is used.',
    test: 'editors’ lines in the first two lines declare a charset',
  },
  'charset.late-meta': {
    feature: 'A `meta` with the charset counts although it comes late in the page.',
    test: 'case 13: a meta behind the first kilobyte',
  },
  'charset.header-meta': {
    feature:
      'A page is read by its own declaration where the server’s header is wrong, and `try` reports what decided.',
    test: 'case 14: a header that says UTF-8 before pages that declare another charset; try says what decided',
  },
  'charset.names': {
    feature: 'Names in archives are decoded by all the names of the archive.',
    test: 'names of one archive are decoded by all of them, and tags by all tags',
  },
  'charset.zip': {
    feature:
      'Names in a zip archive of a Windows in another language are read, with a backslash inside a character.',
    test: 'case 15: names in a zip archive of a Japanese Windows',
  },
  'charset.mail': {
    feature: 'The parts of a mail are decoded by their labels, unless these are wrong or name nothing.',
    test: 'a body is decoded by its label, unless that is wrong or names nothing',
  },
  'charset.mail-header': {
    feature: 'Bare bytes in a mail’s header are read in the charset of its text.',
    test: 'raw bytes in header fields, by the charset of the text below',
  },
  'charset.mail-words': {
    feature: 'Encoded words of a mail are read although a character is divided between two of them.',
    test: 'encoded words: unknown labels, UTF-7, characters divided between words',
  },
  'charset.mail-parts': {
    feature: 'Names of attachments and texts inside multipart messages are decoded by the same rules.',
    test: 'parts of a multipart message, names of attachments, messages inside',
  },
  'charset.mail-footer': {
    feature: 'Text that a list server put behind a base64 body does not garble it.',
    test: 'a text that a list server put behind base64 is left out',
  },
  'charset.utf7': { feature: 'UTF-7 is read in mail and nowhere else.', test: 'UTF-7 is read in mail alone' },
  'charset.explode': {
    feature: 'Records that become objects of their own are decoded as the whole file would be.',
    test: 'case 22: rows of a table in windows-1252, each an object',
  },
  'charset.source': {
    feature: 'Comments in source code are decoded by the same rules.',
    test: 'case 07: a comment in EUC-JP in a source file',
  },
  'figure.charsets-short': {
    feature: 'The share of texts of 20 words that are read in their charset is measured in five forms.',
    bench: 'charsets',
    row: 'all forms, 20 words',
  },
  'figure.charsets-long': {
    feature: 'The share of texts of 200 words that are read in their charset is measured in five forms.',
    bench: 'charsets',
    row: 'all forms, 200 words',
  },
  'figure.charsets-utf8': {
    feature: 'The number of texts in UTF-8 that are taken for another charset is measured.',
    bench: 'charsets',
    row: 'valid UTF-8 taken for anything else',
  },
  'charset.damage': {
    feature: 'Any bytes with any labels become text.',
    test: 'any bytes with any labels become text',
  },
};
