import type { TypeName } from './type-names.ts';

/** A pattern and its type; the first that matches decides. */
export type RecognitionRule = readonly [pattern: RegExp, type: TypeName];

/** Harvest's `byurl`: whole URLs. Only types that neither the name nor the header shows. */
export const typesByUrl: readonly RecognitionRule[] = [
  [/^(?:ftp|gopher):.*\/$/i, 'Directory'],
  [/^news:/i, 'News'],
  [/\/man[1-9][a-z]?\/[^/]+\.[1-9](?:[a-z]\w{0,20})?$/i, 'ManPage'],
];

/** Harvest's `byname`: file names that an extension does not identify. */
export const typesByName: readonly RecognitionRule[] = [
  [/^read[-_.]?me(?:[-_.](?:txt|text|first|now|debian|source|de|en|es|fr|it|ja|pt|ru|zh))?$/i, 'README'],
  [
    /^read[-_.]?me\.(?!(?:md|markdown|html?|rst|adoc|pdf|gz|z|bz2|xz|zst|lz|zip|tar|tgz|uu|shar|7z)$)[\w+]{1,20}$/i,
    'README',
  ],
  [/^(?:00)?faq(?:[-_.](?!(?:md|html?|rst|pdf|gz|z|bz2|xz|zst|lz|zip|tar|tgz)$)\w+)?$/i, 'FAQ'],
  [/\.rst\.txt$/i, 'RST'],
  [/^rfc-?\d{1,5}(?:\.txt)?$/i, 'RFC'],
  [/^fyi-?\d{1,4}(?:\.txt)?$/i, 'FYI'],
  [/^draft-[\w.-]+-\d\d(?:\.txt)?$/i, 'Internet-Draft'],
  [/^(?:gnu|bsd)?makefile(?:\.(?:in|am))?$/i, 'Makefile'],
  [/^(?:changelog|changes|copying|licen[cs]e|news|notice|todo|install|authors|thanks|history)$/i, 'Text'],
  [/^winmail(?:[-_ ]?\d{1,4})?\.dat$/i, 'TNEF'],
  [/~$|^#.+#$/, 'Backup'],
  [/\.tar\.(?:gz|xz|bz2|zst|lz)$|\.t(?:gz|xz|bz2?)$/i, 'GNUCompressedTar'],
  [/\.tar\.z$|\.taz$/i, 'CompressedTar'],
  [/,v$/, 'RCS'],
  [/^\.[\w-]+rc$|^\.(?:profile|config|editorconfig|gitignore)$/, 'Configuration'],
];

const extensions: Readonly<Partial<Record<TypeName, string>>> = {
  HTML: 'html htm xhtml xht shtml asp aspx ascx master jsp jspf jspx gsp phtml',
  Subtitles: 'srt vtt',
  Markdown: 'md markdown mdown mdx mkd mkdn qmd rmd',
  Text: 'txt text log',
  RST: 'rst rest',
  AsciiDoc: 'adoc asciidoc',
  Texinfo: 'texi texinfo txi',
  PDF: 'pdf',
  XML: 'xml xsl xslt rdf gpx kml tcx plist wsdl xsd xspf',
  Feed: 'rss atom',
  Notebook: 'ipynb',
  MHTML: 'mht mhtml mhtm',
  Calendar: 'ics ical ifb icalendar vcs',
  VCard: 'vcf vcard',
  TNEF: 'tnef',
  Org: 'org',
  OPML: 'opml',
  FictionBook: 'fb2',
  SGML: 'sgml sgm',
  JSON: 'json jsonl ndjson geojson webmanifest map',
  CSS: 'css less',
  JavaScript: 'js mjs cjs',
  Image:
    'png jpg jpeg jpe gif webp avif svg svgz bmp ico tif tiff pbm pgm ppm xbm xpm heic jxl psd xcf pam jp2 pnm',
  Audio: 'mp3 ogg oga opus flac wav au snd aif aiff m4a mid midi wma wv ape',
  Video: 'mp4 m4v webm ogv mov avi mpg mpeg mkv wmv 3gp',
  Font: 'woff woff2 ttf otf eot pfb pfa afm bdf pcf ttc t1',
  Archive: '7z rar cpio ar deb rpm jar war iso dmg',
  Tar: 'tar',
  GNUCompressed: 'gz xz bz2 zst lz',
  Compressed: 'z',
  PCCompressed: 'zip arc lzh zoo',
  MacCompressed: 'hqx sit',
  Uuencoded: 'uu uue',
  ShellArchive: 'shar',
  PostScript: 'ps eps ai',
  Dvi: 'dvi',
  Tex: 'tex latex ltx sty cls dtx ins',
  Troff: 'roff me ms mm mom',
  Makefile: 'mk',
  ManPage: 'man',
  RTF: 'rtf',
  MSWord: 'doc docx docm dot dotx',
  MSExcel: 'xls xlsx xlsm',
  MSPowerPoint: 'ppt pptx pptm pps ppsx',
  OpenDocument: 'odt ods odp odg fodt fods fodp fodg',
  EPUB: 'epub',
  Framemaker: 'mif',
  Bibliographic: 'bib ris nbib refer',
  Mail: 'eml mbox emlx',
  C: 'c',
  CHeader: 'h hh hpp',
  Perl: 'pl pm pod',
  Python: 'py pyi',
  Tcl: 'tcl tk',
  Awk: 'awk',
  ShellScript: 'sh bash csh ksh zsh',
  OtherCode:
    'cc cpp cxx java kt go rs rb php cs swift scala hs lisp el scm ml ts tsx jsx sql f f77 f90 pas asm s lua r hxx c++ mts cts scss rake clj m',
  Patch: 'patch diff',
  Configuration: 'conf cfg ini yaml yml toml properties',
  WaisSource: 'src',
  Object: 'o a so dll obj lib class wasm ko dylib',
  Binary: 'exe bin',
  Data: 'dat db sqlite csv tsv parquet nc npy h5 tab db3 sqlite3',
  Backup: 'bak orig old',
};

function byWord(table: Readonly<Partial<Record<TypeName, string>>>): ReadonlyMap<string, TypeName> {
  return new Map(
    Object.entries(table).flatMap(([type, words]) =>
      words.split(' ').map((word) => [word, type as TypeName] as const),
    ),
  );
}

/** The last extension of a file name in lower case, and its type. */
export const typesByExtension = byWord(extensions);

/** Media types of the HTTP header, without parameters and in lower case, and their type. */
export const typesByMediaType = byWord({
  HTML: 'text/html application/xhtml+xml application/vnd.wap.xhtml+xml',
  Markdown: 'text/markdown text/x-markdown',
  PDF: 'application/pdf application/x-pdf',
  XML: 'text/xml application/xml',
  Feed: 'application/rss+xml application/atom+xml application/feed+json',
  SGML: 'text/sgml application/sgml',
  JSON: 'application/json text/json application/ld+json application/geo+json application/manifest+json',
  CSS: 'text/css',
  JavaScript: 'text/javascript application/javascript application/x-javascript application/ecmascript',
  Font: 'application/font-woff application/vnd.ms-fontobject application/x-font-ttf',
  PCCompressed: 'application/zip application/x-zip-compressed',
  Archive: 'application/x-7z-compressed application/vnd.rar application/java-archive',
  Tar: 'application/x-tar',
  Compressed: 'application/x-compress',
  PostScript: 'application/postscript',
  Dvi: 'application/x-dvi',
  Tex: 'application/x-tex application/x-latex text/x-tex',
  Troff: 'application/x-troff text/troff',
  ManPage: 'application/x-troff-man',
  RTF: 'application/rtf text/rtf',
  MSWord: 'application/msword application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  MSExcel: 'application/vnd.ms-excel application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  MSPowerPoint:
    'application/vnd.ms-powerpoint application/vnd.openxmlformats-officedocument.presentationml.presentation',
  OpenDocument:
    'application/vnd.oasis.opendocument.text application/vnd.oasis.opendocument.spreadsheet application/vnd.oasis.opendocument.presentation',
  EPUB: 'application/epub+zip',
  Mail: 'message/rfc822 application/mbox',
  Notebook: 'application/x-ipynb+json',
  MHTML: 'multipart/related application/x-mimearchive message/rfc2557',
  Calendar: 'text/calendar text/x-vcalendar',
  VCard: 'text/vcard text/x-vcard text/directory',
  TNEF: 'application/ms-tnef application/vnd.ms-tnef',
  Org: 'text/org text/x-org',
  OPML: 'text/x-opml application/xml+opml application/opml+xml',
  FictionBook: 'application/x-fictionbook+xml application/fb2+xml',
  News: 'message/news',
  Bibliographic: 'text/x-bibtex application/x-bibtex',
  Data: 'text/csv text/tab-separated-values',
});

/** Types of top-level media types, with any subtype. */
export const typesByTopLevel: ReadonlyMap<string, TypeName> = new Map([
  ['image', 'Image'],
  ['audio', 'Audio'],
  ['video', 'Video'],
  ['font', 'Font'],
]);
