import type { TypeName } from './type-names.ts';

/** Fixed bytes of a format. */
export interface Signature {
  readonly at: number;
  /** Latin-1 text of the bytes expected there. */
  readonly bytes: string;
  readonly type: TypeName;
  readonly mediaType?: string;
}

/** Formats by fixed bytes, the most specific first: an EPUB is a zip too. Pure data. */
export const signatures: readonly Signature[] = [
  { at: 0, bytes: '%PDF-', type: 'PDF' },
  { at: 0, bytes: '%!FontType1', type: 'Font', mediaType: 'application/x-font-type1' },
  { at: 0, bytes: '%!PS', type: 'PostScript' },
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', type: 'Image', mediaType: 'image/png' },
  { at: 0, bytes: '\xff\xd8\xff', type: 'Image', mediaType: 'image/jpeg' },
  { at: 0, bytes: 'GIF87a', type: 'Image', mediaType: 'image/gif' },
  { at: 0, bytes: 'GIF89a', type: 'Image', mediaType: 'image/gif' },
  { at: 8, bytes: 'WEBPVP8', type: 'Image', mediaType: 'image/webp' },
  { at: 8, bytes: 'WAVEfmt', type: 'Audio', mediaType: 'audio/wav' },
  { at: 8, bytes: 'AIFF', type: 'Audio', mediaType: 'audio/aiff' },
  { at: 8, bytes: 'AIFC', type: 'Audio', mediaType: 'audio/aiff' },
  { at: 0, bytes: '.snd\0\0', type: 'Audio', mediaType: 'audio/basic' },
  { at: 0, bytes: 'MAC \x96\x0f', type: 'Audio', mediaType: 'audio/x-ape' },
  { at: 8, bytes: 'AVI LIST', type: 'Video', mediaType: 'video/x-msvideo' },
  { at: 0, bytes: 'ID3', type: 'Audio', mediaType: 'audio/mpeg' },
  { at: 0, bytes: 'fLaC', type: 'Audio', mediaType: 'audio/flac' },
  { at: 0, bytes: 'OggS\0', type: 'Audio', mediaType: 'application/ogg' },
  { at: 0, bytes: 'MThd', type: 'Audio', mediaType: 'audio/midi' },
  { at: 4, bytes: 'ftypavif', type: 'Image', mediaType: 'image/avif' },
  { at: 4, bytes: 'ftypheic', type: 'Image', mediaType: 'image/heic' },
  { at: 4, bytes: 'ftypheix', type: 'Image', mediaType: 'image/heic' },
  { at: 4, bytes: 'ftypmif1', type: 'Image', mediaType: 'image/heif' },
  { at: 4, bytes: 'ftypmsf1', type: 'Image', mediaType: 'image/heif' },
  { at: 4, bytes: 'ftypavis', type: 'Image', mediaType: 'image/avif' },
  { at: 4, bytes: 'ftypM4A', type: 'Audio', mediaType: 'audio/mp4' },
  { at: 4, bytes: 'ftyp', type: 'Video', mediaType: 'video/mp4' },
  { at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: 'MSWord' },
  { at: 0, bytes: '\x1aE\xdf\xa3', type: 'Video', mediaType: 'video/webm' },
  { at: 4, bytes: 'moov\0\0', type: 'Video', mediaType: 'video/quicktime' },
  { at: 0, bytes: 'FLV\x01', type: 'Video', mediaType: 'video/x-flv' },
  { at: 0, bytes: '\0\0\x01\xba', type: 'Video', mediaType: 'video/mpeg' },
  { at: 0, bytes: '\0\0\x01\xb3', type: 'Video', mediaType: 'video/mpeg' },
  { at: 0, bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', type: 'Video', mediaType: 'video/x-ms-asf' },
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
  { at: 0, bytes: 'gimp xcf ', type: 'Image', mediaType: 'image/x-xcf' },
  { at: 0, bytes: '\0\0\0\x0cjP  ', type: 'Image', mediaType: 'image/jp2' },
  { at: 0, bytes: '\0\0\0\x0cJXL ', type: 'Image', mediaType: 'image/jxl' },
  { at: 0, bytes: '8BPS', type: 'Image', mediaType: 'image/vnd.adobe.photoshop' },
  { at: 0, bytes: 'STARTFONT ', type: 'Font', mediaType: 'application/x-font-bdf' },
  { at: 0, bytes: 'StartFontMetrics ', type: 'Font', mediaType: 'application/x-font-afm' },
  { at: 0, bytes: 'ttcf\0', type: 'Font', mediaType: 'font/collection' },
  { at: 0, bytes: '\x01fcp', type: 'Font', mediaType: 'application/x-font-pcf' },
  { at: 0, bytes: 'OTTO\0', type: 'Font', mediaType: 'font/otf' },
  { at: 0, bytes: '\0\x01\0\0\0', type: 'Font', mediaType: 'font/ttf' },
  { at: 0, bytes: 'PAR1', type: 'Data' },
  { at: 0, bytes: 'CDF\x01', type: 'Data' },
  { at: 0, bytes: 'CDF\x02', type: 'Data' },
  { at: 0, bytes: 'CDF\x05', type: 'Data' },
  { at: 0, bytes: '\x93NUMPY', type: 'Data' },
  { at: 0, bytes: '\x89HDF', type: 'Data' },
  { at: 0, bytes: '\x78\x9f\x3e\x22', type: 'TNEF' },
  { at: 0, bytes: '\xf7\x02', type: 'Dvi' },
  { at: 0, bytes: '{\\rtf', type: 'RTF' },
  { at: 0, bytes: '<MIFFile', type: 'Framemaker' },
  { at: 0, bytes: 'SQLite format 3\0', type: 'Data' },
];

// The old binary form of cpio begins with only two fixed bytes: too few to recognise it.
/** Formats by a pattern of their first bytes, read as Latin-1. */
export const binaryPatterns: readonly (readonly [RegExp, TypeName, string?])[] = [
  [/^07070[12][0-9A-Fa-f]{104}/, 'Archive', 'application/x-cpio'],
  [/^070707[0-7]{70}/, 'Archive', 'application/x-cpio'],
  [/^[\s\S]{2}-l[hz][0-9ds]-/, 'PCCompressed', 'application/x-lzh-compressed'],
  [/^BM[\s\S]{4}\0{4}[\s\S]{5}\0{3}/, 'Image', 'image/bmp'],
  [/^\0\0(?!\0)\p{Cc}\0(?!\0)\p{Cc}\0[\s\S]{3}\0/u, 'Image', 'image/vnd.microsoft.icon'],
  // Line ends may be before a PDF; other junk is seen under its name only.
  [/^[\s\xef\xbb\xbf]{1,900}%PDF-\d/, 'PDF', 'application/pdf'],
  // Packets of MPEG transport streams have 188 bytes, with checksums 204; cameras and discs write four bytes before
  // each. A recording may begin within a packet, but not with letters: these may be of a genome.
  [/^(?![\t -~\s]{40})[\s\S]{0,187}?G[\s\S]{187}G[\s\S]{187}G[\s\S]{187}G/, 'Video', 'video/mp2t'],
  [/^(?![\t -~\s]{40})G[\s\S]{203}G[\s\S]{203}G[\s\S]{203}G/, 'Video', 'video/mp2t'],
  [/^(?![\t -~\s]{40})[\s\S]{4}G[\s\S]{191}G[\s\S]{191}G[\s\S]{191}G/, 'Video', 'video/mp2t'],
  // Excel up to version 4 wrote BIFF without a compound file around it.
  [/^\t\p{Cc}{2}\0[\s\S]{2}[\p{Cc} @]\0/u, 'MSExcel', 'application/vnd.ms-excel'],
  [/^\p{Cc}h\d{5}\r?\n/u, 'SCCS'],
];
