import { latin1Start } from '../../readers/bytes/index.ts';
import { sniffDelimiter } from '../../readers/text/index.ts';
import { type Content, isTextThroughout } from './content-signatures.ts';
import type { TypeName } from './type-names.ts';

const markedBytes = 8192;
const serverPages = /\.(?:asp|aspx|ascx|master|jsp|jspf|jspx|gsp|phtml)$/i;
const tableNames = /\.(?:csv|tsv|tab)$/i;

const words = (text: string) => new Set(text.split(' ') as TypeName[]);

/** Types that say where a document is from or what it is for; its bytes may be anything. */
const unrefuted = words('Backup Command Directory News');

const binary = words(
  'Archive Audio Binary Compressed CompressedTar Dvi EPUB Font GNUCompressed GNUCompressedTar Image MSExcel MacCompressed ' +
    'MSPowerPoint MSWord Object OpenDocument PCCompressed PDF TNEF Tar Video',
);

/** Types whose documents are text or not. */
const mayBeBinary = words('Data PostScript');

/** Types of programs: a script's first line names a language among them. */
const code = words('Awk C CHeader JavaScript Makefile OtherCode Perl Python ShellScript Tcl');

/** Types whose documents may begin with an XML declaration. */
const declared = words('FictionBook Feed HTML Image OPML OpenDocument SGML XML');

/** Types of the bytes, certain ones too, that are no fault under a type. */
const within: Readonly<Partial<Record<TypeName, ReadonlySet<TypeName>>>> = {
  Archive: words('Object PCCompressed'),
  Audio: words('Video'),
  Binary: words('Object'),
  Compressed: words('Compressed'),
  CompressedTar: words('Compressed GNUCompressed'),
  Font: words('PostScript'),
  GNUCompressedTar: words('Compressed GNUCompressed'),
  JavaScript: words('OtherCode'),
  Object: words('Binary'),
  Video: words('Audio'),
};

/** Marks that the beginning of every document of a type has. */
const marks: Readonly<Partial<Record<TypeName, RegExp>>> = {
  Bibliographic: /@\w{1,30}\s{0,9}[{(]|^(?:%[A-Z0]|[A-Z][A-Z\d]{1,3} {0,2}-) /m,
  Calendar: /BEGIN:V/i,
  Feed: /<(?:[\w-]{1,40}:)?(?:rss|feed|rdf)\b|jsonfeed\.org/i,
  FictionBook: /</,
  Framemaker: /^<(?:MIF|Maker|Book)/,
  // One bad line does not end JSON lines, the first one neither.
  JSON: /(?<![\s\S])(?:[[{"'\d/#)-]|true|false|null|while)|^\{.*\}\r?$/m,
  MacCompressed: /This file must be converted|^:/,
  ManPage: /^[.'][ \t]*[\\a-zA-Z]/m,
  MHTML: /^[\w-]{1,60}:/m,
  Notebook: /"(?:cells|cell_type|nbformat|worksheets)"/,
  OPML: /</,
  RCS: /^head\b/,
  RTF: /\{\\rtf/,
  SGML: /</,
  Subtitles: /-->|^WEBVTT/m,
  Tex: /\\[a-zA-Z@]|^[ \t]*%/m,
  Troff: /^[.'][ \t]*[\\a-zA-Z]/m,
  Uuencoded: /^begin(?:-base64)? [0-7]{3,4} \S/m,
  VCard: /BEGIN:VCARD/i,
  WaisSource: /^\(:source/m,
  XML: /</,
};

/** Whether the bytes of a document may be of a type that its name, header or URL proposes. */
export function admits(type: TypeName, content: Content, bytes: Uint8Array, name: string): boolean {
  if (unrefuted.has(type) || content.form === 'empty' || content.type === type) return true;
  if (content.certain && content.type !== undefined && !mayHold(type, content.type, content, name))
    return false;
  if (type === 'PDF') return content.form !== 'plain' || latin1Start(bytes, markedBytes).includes('%PDF-');
  if (type === 'TNEF') return false;
  const isMarked = () => hasMark(type, content, bytes);
  if (binary.has(type))
    return content.form !== 'plain' || content.certain || isMarked() === true || !decodesAsText(bytes, type);
  if (content.form === 'binary')
    return content.certain || (content.type === undefined && mayBeBinary.has(type));
  if (isMarked() === false) return false;
  if (type === 'HTML')
    return (
      content.type !== 'JSON' && (!serverPages.test(name) || latin1Start(bytes, markedBytes).includes('<'))
    );
  if (type === 'Data') return tableNames.test(name) || (content.type === 'Text' && isTable(bytes));
  return true;
}

/** Whether the beginning has the mark of a type; undefined for types without one. */
function hasMark(type: TypeName, { start }: Content, bytes: Uint8Array): boolean | undefined {
  const mark = marks[type];
  return mark && (mark.test(start) || mark.test(latin1Start(bytes, markedBytes)));
}

/** Whether bytes are text from their beginning to their end; signs of binary data count under a type that is text. */
export function decodesAsText(bytes: Uint8Array, type: TypeName): boolean {
  return isTextThroughout(bytes, binary.has(type) ? ['plain'] : ['plain', 'text']);
}

function mayHold(type: TypeName, found: TypeName, { form }: Content, name: string): boolean {
  if (within[type]?.has(found)) return true;
  // The first line of a document may show a program; that of a program shows its language.
  if (code.has(found)) return !code.has(type) && !binary.has(type);
  if (found === 'XML') return declared.has(type);
  if (found === 'HTML') return type === 'Markdown';
  return found === 'GNUCompressed' && form === 'binary' && /\.svgz$/i.test(name);
}

const tableBytes = 4096;

/** Whether the lines at the beginning of a text are rows of a table. */
export function isTable(bytes: Uint8Array): boolean {
  const start = latin1Start(bytes, tableBytes).replaceAll('\0', '');
  const end = bytes.length <= tableBytes ? start.length : start.lastIndexOf('\n') + 1;
  return sniffDelimiter(start.slice(0, end)) !== undefined;
}
