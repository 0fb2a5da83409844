import type { Area } from './feature.ts';

export const recovery: Area = {
  'recovery.json-lines': {
    feature: 'A line of JSON lines that is no JSON is left out with a note, and all others are read.',
    test: 'a bad line of JSON lines is left out, wherever it is',
  },
  'recovery.exploded-lines': {
    feature: 'Lines of exploded JSON lines that are no JSON are counted in the report of the run.',
    test: 'lines that are not JSON are counted behind the records',
  },
  'recovery.tables': {
    feature: 'A quotation mark without a partner is text of its own line of a table.',
    test: 'a quotation mark without a partner ends no table',
  },
  'recovery.bibliographies': {
    feature: 'A faulty line of BibTeX or RIS loses at most its own field or record.',
    test: 'a faulty line of a bibliography loses at most its own field or record',
  },
  'recovery.mailbox': {
    feature: 'A faulty line of a mailbox loses no message.',
    test: 'a faulty line of a mailbox loses no message',
  },
  'recovery.subtitles': {
    feature: 'A faulty cue of subtitles loses no other, and escapes in cues are read.',
    test: 'a faulty cue of subtitles loses no other, and escapes are read',
  },
  'recovery.base64': {
    feature: 'Base64 in a mail ends at its padding, at a shorter line, or at what is no base64.',
    test: 'base64 ends at its padding, at a shorter line, or at what is no base64',
  },
  'recovery.encoded': {
    feature: 'Uuencoded parts, yEnc and the armour of PGP are no text of a message.',
    test: 'what is encoded in the text of a message is no text',
  },
  'recovery.toml': {
    feature: 'TOML front matter gives title, authors, keywords and dates.',
    test: 'TOML front matter: strings, lists, tables, dates, and lines that are not TOML',
  },
  'recovery.yaml': {
    feature: 'YAML front matter is read with folded, literal and continued values and with people.',
    test: 'YAML front matter: folded, literal and continued values, lists and people',
  },
  'recovery.front-matter': {
    feature:
      'JSON front matter, lines before a blank line and the title block of Pandoc are front matter too.',
    test: 'JSON front matter, lines before a blank line, and the title block of Pandoc',
  },
  'recovery.front-matter-pages': {
    feature: 'Front matter before HTML and AsciiDoc precedes what the text says, and is no text.',
    test: 'front matter before HTML, AsciiDoc and Markdown of any ending is no text',
  },
  'recovery.html-heading': {
    feature:
      'Headings in HTML are headings of Markdown, also over several lines; badges are no part of them.',
    test: 'headings in HTML are headings, and badges are no part of a heading',
  },
  'recovery.name-section': {
    feature: 'A text or page that begins with a NAME section is named by the line behind the heading.',
    test: 'a text that begins with a NAME section is named by the line behind the heading',
  },
  'recovery.name-section-page': {
    feature: 'So is a page made of a manual page.',
    test: 'a page that begins with a NAME section is named by the line behind the heading',
  },
  'recovery.name-section-readme': {
    feature: 'So is a README.',
    test: 'a README that begins with a NAME section is named by the line behind the heading',
  },
  'recovery.readme-version': {
    feature: 'The version of a README is its own, not of what it needs.',
    test: 'the version of a README is its own, not of what it needs',
  },
  'recovery.readme': {
    feature: 'A README is named by its heading, whatever badges, editor lines and rights precede it.',
    test: 'a README is named by its heading, not by badges, pictures, editor lines and rights before it',
  },
  'recovery.editor-lines': {
    feature: 'Lines for Emacs, vi, RCS and generators are no titles.',
    test: 'lines for editors and programs are no titles',
  },
  'recovery.change-logs': {
    feature: 'A change log that begins with an entry is named by what it is and its package.',
    test: 'change logs and news that begin with an entry are named by what they are and their package',
  },
  'recovery.copyright': {
    feature: 'A copyright file of Debian is named by the work.',
    test: 'a copyright of Debian is named by the work',
  },
  'recovery.xml-name': {
    feature: 'The title of GPX, KML and other XML is the name of the whole, not of a part.',
    test: 'the title of XML is the name of the whole, not of its parts',
  },
  'recovery.licence': {
    feature: 'The text of a licence is no description of source code, a README or a configuration.',
    test: 'the text of a licence is no description, whatever reads the file',
  },
  'recovery.identifiers': {
    feature: 'Names of functions, classes, types and constants may have letters of any script.',
    test: 'identifiers have letters of any script in every language',
  },
  'recovery.code-authors': {
    feature: 'Authors that the code assigns by a convention of its language are authors.',
    test: 'authors that the code names by a convention of its language',
  },
  'recovery.blank-dates': {
    feature: 'A date of blanks or noughts is left out.',
    test: 'a date of blanks or noughts is no date',
  },
  'recovery.times': {
    feature: 'A modification time in the future or before 1970 is left out and does no harm.',
    test: 'modification times in the future and before 1970 are left out',
  },
  'recovery.file-times': {
    feature: 'A file with such a time is gathered once, and is unchanged in the next run.',
    test: 'case 72: a file from before 1970 or from the future is gathered once, without its time',
  },
  'recovery.large-media': {
    feature: 'A film or recording above the limit of size gives tags, duration, type, size and date.',
    test: 'case 71: files above the limit are objects with name, type, size, date and what their ends say',
  },
  'recovery.large-streams': {
    feature: 'An MPEG transport stream above the limit has the duration that its two ends show.',
    test: 'of an MPEG transport stream that is too large both ends are read',
  },
  'recovery.large-files': {
    feature: 'Any other file above the limit gives name, type, size, date and what its ends say.',
    test: 'texts, PDF, archives and unknown files above the limit are objects, and change with their size',
  },
  'recovery.large-zip': {
    feature: 'A zip archive above the limit gives the names of all its members.',
    test: 'the end of a large zip archive gives the names and sizes of all members',
  },
  'recovery.large-pages': {
    feature: 'A document of the Web above the limit gives what requests for its ends bring.',
    test: 'a document of the Web above the limit is an object of its ends, with size, date and type',
  },
  'recovery.names': {
    feature: 'Names of files and folders that are not UTF-8 are percent-encoded as web servers serve them.',
    test: 'case 70: files and folders whose names are not UTF-8 are gathered, watched and found again',
  },
  'recovery.name-bytes': {
    feature: 'Every name of a file, whatever its bytes, has one path and one segment of a URL.',
    test: 'every name has one text, one path and one segment of a URL',
  },
};
