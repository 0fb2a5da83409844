import type { Area } from './feature.ts';

export const types: Area = {
  'type.names': { feature: 'The type of a document is recognised by its name.', test: 'names show the type' },
  'type.content': {
    feature: 'The type of a document without a telling name is recognised by its bytes.',
    test: 'content shows the type where nothing else does',
  },
  'type.order': {
    feature: 'The type comes from the URL, then a specific header, then the name, then the content.',
    test: 'the order is URL, specific header, name, content, and the source of the type is reported',
  },
  'type.doc': {
    feature: 'A file named `.doc` that is plain text, RTF or HTML is treated as what it is.',
    test: 'a .doc file of plain text, RTF or HTML has that type; any other is a Word document',
  },
  'type.packed': {
    feature: 'Packed forms are recognised by their first bytes.',
    test: 'packed forms by their first bytes, and texts that only speak of them',
  },
  'type.plain-summary': {
    feature: 'A document of a type without a summariser gets name, type, size, date and MD5.',
    test: 'a type without a summariser gets name, type, size, date and MD5',
  },
  'type.note': {
    feature: 'A document that is not what its name says gets the plain summary with a note.',
    test: 'content of another type than its name gets the plain summary, a note and an event',
  },
  'type.empty': {
    feature: 'An empty PDF, picture or office document says so in its summary.',
    test: 'an empty document of a binary format has a note; an empty text has none',
  },
  'type.real-pages': {
    feature: 'Each page of three real manuals gives a title, headings, links and text.',
    test: 'every page of three real manuals gives a title, headings, links and text',
  },
  'type.never-throws': { feature: 'No bytes make a summariser fail a run.', test: 'no bytes make it throw' },
  'type.every': {
    feature: 'Every type that has a summariser has an example document that is summarised in the tests.',
    test: 'every type that has a summariser has an exhibit',
  },
  'type.html': {
    feature:
      'The summary of an HTML page has title, headings, description, keywords, language, links and text.',
    test: 'the fields of an ordinary page',
  },
  'type.html-title': {
    feature: 'The title of a page without one is its first heading, then its file name.',
    test: 'the title falls back to the first heading, then to the file name',
  },
  'type.html-charset': {
    feature: 'The charset of a page comes from its byte order mark, header or meta, else from its bytes.',
    test: 'charset: byte order mark, header, meta, XML declaration, then UTF-8 if valid, else windows-1252',
  },
  'type.html-robots': {
    feature: 'The robots directives `noindex` and `nofollow` of a page are obeyed.',
    test: 'robots directives of the page and of the header',
  },
  'type.html-selected': {
    feature: 'The selected text of a page is made of its main text without boilerplate.',
    test: 'selected text is made from the main text: its headings and sentences, no boilerplate',
  },
  'type.markdown': {
    feature: 'The summary of a Markdown document has front matter, headings, links and text.',
    test: 'a whole document',
  },
  'type.text': {
    feature: 'The title of a plain text is its first line that says something, or an underlined heading.',
    test: 'the first line with text is the title',
  },
  'type.text-encodings': { feature: 'Plain texts in common encodings are read.', test: 'encodings' },
  'type.rst': {
    feature: 'A reStructuredText document gives title, fields, directives and links.',
    test: 'reStructuredText: title, fields, directives, roles, links',
  },
  'type.asciidoc': {
    feature: 'AsciiDoc gives header, attributes and links.',
    test: 'AsciiDoc: header, attributes, blocks, links',
  },
  'type.readme': {
    feature: 'The keywords of a README are its own, else those of its text.',
    test: 'a README’s keywords: its own, else those of its text, and none where the level chooses them',
  },
  'type.faq': { feature: 'A FAQ posted to a news group is summarised.', test: 'a posting to news.answers' },
  'type.rfc': {
    feature: 'An RFC gives number, abstract, sections and pages.',
    test: 'an RFC: first lines, abstract, sections, pages',
  },
  'type.internet-draft': { feature: 'An Internet-Draft is summarised.', test: 'an Internet-Draft' },
  'type.pdf': {
    feature: 'A PDF paper gives title, pages, abstract, headings and text without running heads.',
    test: 'a paper of groff and Ghostscript: title, pages, abstract, headings, hyphens, running heads',
  },
  'type.pdf-encrypted': {
    feature: 'Encrypted PDF files open with the empty password, and locked ones say so.',
    test: 'encrypted files open with the empty password, locked ones have a note',
  },
  'type.pdf-no-text': {
    feature: 'A PDF whose pages have no text says so.',
    test: 'pages without text have a note',
  },
  'type.pdf-words': {
    feature: 'The words of PDF manuals are those that pdftotext finds.',
    test: 'the words of Debian’s manuals are those of pdftotext',
  },
  'type.postscript': {
    feature: 'A PostScript paper gives its comments and its text.',
    test: 'a paper of groff, as Debian ships it',
  },
  'type.postscript-plain': {
    feature: 'PostScript is read without Ghostscript too.',
    test: 'an unknown program is read plainly without Ghostscript, and alike with it',
  },
  'type.dvi': {
    feature: 'A DVI file of LaTeX gives title, abstract, headings and links.',
    test: 'a paper of LaTeX: title, abstract, headings, accents, ligatures, hyphens, fonts, links',
  },
  'type.tex': {
    feature: 'LaTeX gives title, people, sections, citations and text.',
    test: 'LaTeX: title, people, sections, citations, text',
  },
  'type.texinfo': {
    feature: 'Texinfo gives title page, nodes, definitions and index.',
    test: 'Texinfo: title page, nodes, definitions, index, menus',
  },
  'type.troff': { feature: 'Papers in the troff macros ms are summarised.', test: 'a paper in ms' },
  'type.manpage': {
    feature: 'A manual page gives name, purpose, sections and references.',
    test: 'a page in the man macros',
  },
  'type.manpage-mdoc': { feature: 'Manual pages in mdoc are summarised too.', test: 'a page in mdoc' },
  'type.framemaker': {
    feature: 'FrameMaker documents give file information and text.',
    test: 'file information, tags of paragraphs, strings with their escapes',
  },
  'type.word': {
    feature: 'Word documents of both generations are summarised.',
    test: 'a Word document of either generation',
  },
  'type.excel': {
    feature: 'Excel workbooks of both generations are summarised.',
    test: 'a workbook of either generation',
  },
  'type.powerpoint': {
    feature: 'PowerPoint presentations of both generations are summarised.',
    test: 'a presentation of either generation',
  },
  'type.opendocument': {
    feature: 'OpenDocument texts, packed and flat, are summarised.',
    test: 'a text of pandoc, packed and flat: properties, headings, table, note, link',
  },
  'type.opendocument-others': {
    feature: 'OpenDocument spreadsheets and presentations are summarised.',
    test: 'a spreadsheet and a presentation of LibreOffice',
  },
  'type.rtf': {
    feature: 'RTF gives information, headings and text in its encodings.',
    test: 'information, encodings of fonts, Unicode, headings, fields, notes',
  },
  'type.epub': {
    feature: 'An EPUB book gives Dublin Core, its chapters in order and headings.',
    test: 'a book of pandoc: Dublin Core, chapters in order, headings, links out of the book',
  },
  'type.mail': {
    feature: 'A mail message gives its fields, its best part and its attachments.',
    test: 'a message: fields, best part, attachments',
  },
  'type.news': { feature: 'A news article is summarised.', test: 'a news article' },
  'type.image': {
    feature: 'Pictures of all common formats give size, depth and colour.',
    test: 'size, depth and colour of every format ImageMagick writes',
  },
  'type.image-metadata': {
    feature: 'EXIF, IPTC and XMP of pictures are read.',
    test: 'EXIF, IPTC and XMP as exiftool writes them; XMP before IPTC before EXIF',
  },
  'type.svg': { feature: 'SVG drawings, plain and gzipped, are summarised.', test: 'SVG, plain and gzipped' },
  'type.audio': {
    feature: 'Sound files give title, people, length and format.',
    test: 'sound of every format ffmpeg writes',
  },
  'type.video': {
    feature: 'Films give picture size, codecs and languages of tracks.',
    test: 'films: size of the picture, codecs, languages of tracks',
  },
  'type.midi': {
    feature: 'MIDI files give names, words and length.',
    test: 'MIDI: names, words, copyright, length',
  },
  'type.subtitles': { feature: 'Subtitles give what is said.', test: 'subtitles: their text' },
  'type.font': { feature: 'TrueType fonts give family, style and other metadata.', test: 'TrueType' },
  'type.csv': {
    feature: 'Tables of delimited text give their columns with types and ranges.',
    test: 'columns with types and ranges',
  },
  'type.sqlite': {
    feature: 'SQLite databases give their schema and counts of rows.',
    test: 'schema, columns, rows counted over many pages, overflowing texts',
  },
  'type.json': {
    feature: 'JSON gives its shape with types and counts.',
    test: 'shape with types and counts',
  },
  'type.xml': { feature: 'DocBook documents give title, people and text.', test: 'DocBook' },
  'type.netcdf': {
    feature: 'NetCDF files of each classic version are summarised.',
    test: 'NetCDF of every classic version',
  },
  'type.arrays': {
    feature: 'Parquet, NumPy and HDF5 files are summarised by their headers.',
    test: 'Parquet, NumPy and HDF5 by their headers',
  },
  'type.source-code': {
    feature: 'Source code in many languages gives its definitions, imports and purpose.',
    test: 'each language: definitions, imports and purpose',
  },
  'type.code-levels': {
    feature: 'The full text of a program is all of it, and its selected text its comments.',
    test: 'full text is the program, selected its comments, none nothing',
  },
  'type.licence': { feature: 'Licence texts are recognised.', test: 'licence texts that Debian installs' },
  'type.configuration': {
    feature: 'Configuration files give sections, keys and comments.',
    test: 'sections, keys, comments',
  },
  'type.makefile': { feature: 'A makefile gives its targets.', test: 'a makefile' },
  'type.patch': { feature: 'A patch gives the files that it changes.', test: 'a patch that git made' },
  'type.rcs': { feature: 'An RCS file gives its revisions.', test: 'an RCS file made by ci' },
  'type.sccs': { feature: 'An SCCS file gives its revisions.', test: 'an SCCS file made by CSSC' },
  'type.elf': {
    feature: 'Executables, objects and libraries of ELF give their symbols.',
    test: 'ELF objects, executables, libraries of gcc and ar',
  },
  'type.windows-programs': {
    feature: 'Windows programs are summarised.',
    test: 'Windows programs and objects of mingw',
  },
  'type.macho': { feature: 'Mach-O programs are summarised.', test: 'Mach-O programs of the Go compiler' },
  'type.java-class': {
    feature: 'Java classes and WebAssembly are summarised.',
    test: 'Java classes and WebAssembly',
  },
  'type.bibtex': { feature: 'BibTeX entries are each summarised.', test: 'BibTeX entries one by one' },
  'type.ris': {
    feature: 'RIS and refer entries are each summarised.',
    test: 'RIS and refer entries one by one',
  },
  'type.bibliography': {
    feature: 'A bibliography is summarised as one document where it is not taken apart.',
    test: 'a bibliography as one document',
  },
  'type.archive-listing': {
    feature: 'An archive that is not opened is summarised by its listing.',
    test: 'an archive by its listing',
  },
  'type.source-distribution': {
    feature: 'An archive of sources is one object with README, description, licence and languages.',
    test: 'one summary for a tree of sources, for any order of its files',
  },
  'type.manual': {
    feature: 'The page of summarisers in the manual is written from the code.',
    test: 'the generated pages are fresh',
  },
  'type.troff-me': {
    feature: 'Papers in the troff macros me and mm are summarised.',
    test: 'a paper in me and one in mm',
  },
  'type.fonts-packed': {
    feature: 'Packed fonts (WOFF) and font collections are summarised.',
    test: 'WOFF compresses each table separately; a collection names its faces',
  },
};
