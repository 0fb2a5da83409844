import { byteOrder } from '../../readers/text/index.ts';
import { wrapperFormat } from '../unnest/index.ts';
import type { TypeName } from './type-names.ts';
import { zippedDocument } from './zip-contents.ts';

/** Bytes at the beginning of a document that recognition reads. */
export const sniffedBytes = 1024;

interface Signature {
  readonly at: number;
  /** Latin-1 text of the bytes expected there. */
  readonly bytes: string;
  readonly type: TypeName;
  readonly mediaType?: string;
}

// The most specific first: an EPUB is a zip too.
const signatures: readonly Signature[] = [
  { at: 0, bytes: '%PDF-', type: 'PDF' },
  { at: 0, bytes: '%!PS', type: 'PostScript' },
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', type: 'Image', mediaType: 'image/png' },
  { at: 0, bytes: '\xff\xd8\xff', type: 'Image', mediaType: 'image/jpeg' },
  { at: 0, bytes: 'GIF87a', type: 'Image', mediaType: 'image/gif' },
  { at: 0, bytes: 'GIF89a', type: 'Image', mediaType: 'image/gif' },
  { at: 8, bytes: 'WEBPVP8', type: 'Image', mediaType: 'image/webp' },
  { at: 8, bytes: 'WAVEfmt', type: 'Audio', mediaType: 'audio/wav' },
  { at: 8, bytes: 'AVI LIST', type: 'Video', mediaType: 'video/x-msvideo' },
  { at: 0, bytes: 'ID3', type: 'Audio', mediaType: 'audio/mpeg' },
  { at: 0, bytes: 'fLaC', type: 'Audio', mediaType: 'audio/flac' },
  { at: 0, bytes: 'OggS\0', type: 'Audio', mediaType: 'application/ogg' },
  { at: 0, bytes: 'MThd', type: 'Audio', mediaType: 'audio/midi' },
  { at: 4, bytes: 'ftypavif', type: 'Image', mediaType: 'image/avif' },
  { at: 4, bytes: 'ftypheic', type: 'Image', mediaType: 'image/heic' },
  { at: 4, bytes: 'ftypM4A', type: 'Audio', mediaType: 'audio/mp4' },
  { at: 4, bytes: 'ftyp', type: 'Video', mediaType: 'video/mp4' },
  { at: 0, bytes: '\x01h', type: 'SCCS' },
  { at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: 'MSWord' },
  { at: 0, bytes: '\x1aE\xdf\xa3', type: 'Video', mediaType: 'video/webm' },
  { at: 0, bytes: 'wOFF', type: 'Font', mediaType: 'font/woff' },
  { at: 0, bytes: 'wOF2', type: 'Font', mediaType: 'font/woff2' },
  { at: 30, bytes: 'mimetypeapplication/epub+zip', type: 'EPUB' },
  { at: 30, bytes: 'mimetypeapplication/vnd.oasis.opendocument', type: 'OpenDocument' },
  { at: 0, bytes: 'PK\x03\x04', type: 'PCCompressed' },
  { at: 0, bytes: '\x1f\x8b', type: 'GNUCompressed' },
  { at: 0, bytes: 'BZh', type: 'GNUCompressed', mediaType: 'application/x-bzip2' },
  { at: 0, bytes: '\xfd7zXZ\0', type: 'GNUCompressed', mediaType: 'application/x-xz' },
  { at: 0, bytes: '\x28\xb5\x2f\xfd', type: 'GNUCompressed', mediaType: 'application/zstd' },
  { at: 0, bytes: 'LZIP\x01', type: 'GNUCompressed', mediaType: 'application/x-lzip' },
  { at: 0, bytes: '\x1f\x9d', type: 'Compressed' },
  { at: 0, bytes: "7z\xbc\xaf'\x1c", type: 'Archive', mediaType: 'application/x-7z-compressed' },
  { at: 0, bytes: 'Rar!\x1a\x07', type: 'Archive', mediaType: 'application/vnd.rar' },
  { at: 0, bytes: '\xed\xab\xee\xdb', type: 'Archive', mediaType: 'application/x-rpm' },
  { at: 0, bytes: 'MSCF\0\0\0\0', type: 'Archive', mediaType: 'application/vnd.ms-cab-compressed' },
  {
    at: 0,
    bytes: '!<arch>\ndebian-binary',
    type: 'Archive',
    mediaType: 'application/vnd.debian.binary-package',
  },
  { at: 0, bytes: '!<arch>\n', type: 'Object', mediaType: 'application/x-archive' },
  { at: 257, bytes: 'ustar', type: 'Tar' },
  { at: 0, bytes: '\x7fELF', type: 'Binary', mediaType: 'application/x-elf' },
  { at: 0, bytes: '\0asm', type: 'Object', mediaType: 'application/wasm' },
  { at: 0, bytes: '\xca\xfe\xba\xbe', type: 'Object', mediaType: 'application/java-vm' },
  { at: 0, bytes: '\xcf\xfa\xed\xfe', type: 'Binary', mediaType: 'application/x-mach-binary' },
  { at: 0, bytes: 'MZ', type: 'Binary', mediaType: 'application/vnd.microsoft.portable-executable' },
  { at: 0, bytes: 'II*\0', type: 'Image', mediaType: 'image/tiff' },
  { at: 0, bytes: 'MM\0*', type: 'Image', mediaType: 'image/tiff' },
  { at: 0, bytes: '8BPS', type: 'Image', mediaType: 'image/vnd.adobe.photoshop' },
  { at: 0, bytes: 'OTTO', type: 'Font', mediaType: 'font/otf' },
  { at: 0, bytes: '\0\x01\0\0\0', type: 'Font', mediaType: 'font/ttf' },
  { at: 0, bytes: 'PAR1', type: 'Data' },
  { at: 0, bytes: 'CDF', type: 'Data' },
  { at: 0, bytes: '\x93NUMPY', type: 'Data' },
  { at: 0, bytes: '\x89HDF', type: 'Data' },
  { at: 0, bytes: '\xf7\x02', type: 'Dvi' },
  { at: 0, bytes: '{\\rtf', type: 'RTF' },
  { at: 0, bytes: '<MIFFile', type: 'Framemaker' },
  { at: 0, bytes: 'SQLite format 3\0', type: 'Data' },
];

// The old binary form of cpio begins with only two fixed bytes: too few to recognise it.
const binaryPatterns: readonly (readonly [RegExp, TypeName, string])[] = [
  [/^07070[12][0-9A-Fa-f]{104}/, 'Archive', 'application/x-cpio'],
  [/^070707[0-7]{70}/, 'Archive', 'application/x-cpio'],
  [/^[\s\S]{2}-l[hz][0-9ds]-/, 'PCCompressed', 'application/x-lzh-compressed'],
];

const tarBlock = 512;
const isoMark = { at: 0x8000, bytes: '\x01CD001\x01' } as const;

// Matched against the text after the XML declaration and leading comments.
const markupPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [/^<(?:!doctype\s+html|html|head|body|title)\b/i, 'HTML'],
  [/^<(?:rss|feed)\b/i, 'Feed'],
  [/^<rdf:RDF\b/i, 'XML'],
  [/^<(?:!doctype\s+)?svg\b/i, 'Image'],
];

// Matched against the beginning of a text without byte order mark and white space.
const textPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [/^<\?xml\s/i, 'XML'],
  [/^<!(?:doctype|element|entity)\s/i, 'SGML'],
  [/^<(?:h[1-6]|p|div|table|script|style|a|ul|ol|br|font|center|meta|link|!--)[\s>-]/i, 'HTML'],
  [/^(?:#!.{0,100}\r?\n)?(?::\r?\n)?#.{0,10}this is a shell archive/i, 'ShellArchive'],
  [/^#!\s*\S*\bperl\b/, 'Perl'],
  [/^#!\s*\S*(?:\s+|\/)python[\d.]*\b/, 'Python'],
  [/^#!\s*\S*(?:\s+|\/)(?:ba|da|k|c|z)?sh\b/, 'ShellScript'],
  [/^#!\s*\S*(?:\s+|\/)(?:tclsh|wish)\b/, 'Tcl'],
  [/^#!\s*\S*(?:\s+|\/)[gmn]?awk\b/, 'Awk'],
  [/^#!\s*\S*(?:\s+|\/)node\b/, 'JavaScript'],
  [/^(?:[.']\\".*\n)*\.(?:TH|Dd)\s/, 'ManPage'],
  [/^\\input\s+texinfo\b/, 'Texinfo'],
  [/^head\s+[\d.]+;/, 'RCS'],
  [/^TY {1,3}- /, 'Bibliographic'],
  [/^From [0-9a-f]{40} /, 'Patch'],
  [/^(?:\.\\".*\n)*\.TL\b/, 'Troff'],
  [/^(?:\.\\".*\n)*\.so\s+man\d/, 'ManPage'],
  [/^(?:diff -|Index: \S|--- \S+.*\n\+\+\+ \S)/, 'Patch'],
  [/^begin(?:-base64)? [0-7]{3,4} \S/, 'Uuencoded'],
  [/^(?:From \S+@\S+ |Return-Path: |Received: from |Message-ID: <)/i, 'Mail'],
  [/^(?:Path|Newsgroups|Xref): /, 'News'],
  [/^\(This file must be converted with BinHex.{0,40}\)\s*:/m, 'MacCompressed'],
  [/^\\(?:documentclass|documentstyle|input\{|begin\{document\})/, 'Tex'],
  [/^@(?:article|book|inproceedings|misc|techreport|phdthesis)\s*\{/i, 'Bibliographic'],
];

/** The type that the first `sniffedBytes`, an ISO image's mark or a zip's directory show, if any. */
export function typeOfContent(
  bytes: Uint8Array,
): { readonly type: TypeName; readonly mediaType?: string } | undefined {
  if (bytes.length === 0) return undefined;
  const latin1 = latin1Prefix(bytes);
  const signature = matchingSignature(latin1);
  if (signature?.type === 'PCCompressed') return zippedDocument(bytes) ?? { type: signature.type };
  if (signature !== undefined)
    return signature.mediaType === undefined
      ? { type: signature.type }
      : { type: signature.type, mediaType: signature.mediaType };
  const archive = archiveOf(bytes, latin1);
  if (archive !== undefined) return archive;
  const utf16 = byteOrder(bytes);
  if (utf16 === undefined && mostlyControl(latin1)) return undefined;
  const text = utf16 === undefined ? latin1 : latin1.replaceAll('\0', '');
  const start = text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').trimStart();
  const markup = withoutProlog(start);
  const type =
    markupPatterns.find(([pattern]) => pattern.test(markup))?.[1] ??
    textPatterns.find(([pattern]) => pattern.test(start))?.[1] ??
    'Text';
  return type === 'Image' ? { type, mediaType: 'image/svg+xml' } : { type };
}

/** Archives without fixed bytes at their beginning. */
function archiveOf(
  bytes: Uint8Array,
  latin1: string,
): { readonly type: TypeName; readonly mediaType?: string } | undefined {
  const pattern = binaryPatterns.find(([form]) => form.test(latin1));
  if (pattern !== undefined) return { type: pattern[1], mediaType: pattern[2] };
  // Before `ustar` a tar had no mark but the checksum of its first header.
  if (wrapperFormat('Tar', bytes.subarray(0, tarBlock), '') === 'tar') return { type: 'Tar' };
  const { at, bytes: mark } = isoMark;
  const isIso = Buffer.from(bytes.subarray(at, at + mark.length)).toString('latin1') === mark;
  return isIso ? { type: 'Archive', mediaType: 'application/x-iso9660-image' } : undefined;
}

/** Whether bytes declared as text are clearly binary: a known binary signature or many control bytes. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || byteOrder(bytes) !== undefined) return false;
  const latin1 = latin1Prefix(bytes);
  return mostlyControl(latin1) || isBinaryType(matchingSignature(latin1)?.type);
}

// A loop, because one expression over repeated comments would backtrack through every division of them.
export function withoutProlog(start: string): string {
  let rest = start;
  for (;;) {
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    const at = end === undefined ? -1 : rest.indexOf(end);
    if (end === undefined || at < 0) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}

function latin1Prefix(bytes: Uint8Array): string {
  const length = Math.min(bytes.length, sniffedBytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
}

function matchingSignature(latin1: string): Signature | undefined {
  return signatures.find((signature) => latin1.startsWith(signature.bytes, signature.at));
}

const textualTypes: ReadonlySet<TypeName | undefined> = new Set<TypeName | undefined>([
  undefined,
  'PostScript',
  'RTF',
  'Framemaker',
]);

function isBinaryType(type: TypeName | undefined): boolean {
  return !textualTypes.has(type);
}

// Text has tabs, line ends, form feeds, backspaces (overstrike) and escapes; little else below a space.
function mostlyControl(latin1: string): boolean {
  let controls = 0;
  let zeros = 0;
  for (let at = 0; at < latin1.length; at++) {
    const code = latin1.charCodeAt(at);
    if (code === 0) zeros++;
    else if (code < 8 || (code > 13 && code < 32 && code !== 27) || code === 127) controls++;
  }
  return zeros * 100 > latin1.length || controls * 20 > latin1.length;
}
