import { isTar } from '../../readers/bytes/index.ts';

/** Formats of documents that contain others. */
export type WrapperFormat =
  | 'gzip'
  | 'bzip2'
  | 'xz'
  | 'lzip'
  | 'lzma'
  | 'zstd'
  | 'compress'
  | 'tar'
  | 'zip'
  | 'ar'
  | 'cpio'
  | 'rpm'
  | 'shar'
  | 'uuencode'
  | 'binhex'
  | 'mail'
  | 'tnef'
  | 'pdf'
  | 'office'
  | '7z'
  | 'rar'
  | 'lha'
  | 'cab'
  | 'iso';

/** Types of documents that may carry others, such as attached files, and usually do not. */
export const carrierTypes: ReadonlySet<string> = new Set([
  'MSExcel',
  'MSPowerPoint',
  'MSWord',
  'OpenDocument',
  'PDF',
]);

/** The types (Harvest's names) that `unnest` opens. */
export const unnestableTypes: ReadonlySet<string> = new Set([
  ...carrierTypes,
  'Archive',
  'Compressed',
  'CompressedTar',
  'GNUCompressed',
  'GNUCompressedTar',
  'MacCompressed',
  'Mail',
  'News',
  'PCCompressed',
  'ShellArchive',
  'TNEF',
  'Tar',
  'Uuencoded',
]);

interface Mark {
  readonly at: number;
  /** Latin-1 text of the bytes expected there. */
  readonly bytes: string;
  readonly format: WrapperFormat;
}

const marks: readonly Mark[] = [
  { at: 0, bytes: '\x1f\x8b', format: 'gzip' },
  { at: 0, bytes: 'BZh', format: 'bzip2' },
  { at: 0, bytes: '\xfd7zXZ\0', format: 'xz' },
  { at: 0, bytes: 'LZIP', format: 'lzip' },
  { at: 0, bytes: '\x28\xb5\x2f\xfd', format: 'zstd' },
  { at: 0, bytes: '\x1f\x9d', format: 'compress' },
  { at: 0, bytes: 'PK\x03\x04', format: 'zip' },
  { at: 0, bytes: 'PK\x05\x06', format: 'zip' },
  { at: 0, bytes: '!<arch>\n', format: 'ar' },
  { at: 0, bytes: '\xed\xab\xee\xdb', format: 'rpm' },
  { at: 0, bytes: '070701', format: 'cpio' },
  { at: 0, bytes: '070702', format: 'cpio' },
  { at: 0, bytes: '070707', format: 'cpio' },
  { at: 0, bytes: '\xc7\x71', format: 'cpio' },
  { at: 0, bytes: '\x71\xc7', format: 'cpio' },
  { at: 0, bytes: "7z\xbc\xaf'\x1c", format: '7z' },
  { at: 0, bytes: 'Rar!\x1a\x07', format: 'rar' },
  { at: 0, bytes: 'MSCF\0\0\0\0', format: 'cab' },
  { at: 0, bytes: '\x78\x9f\x3e\x22', format: 'tnef' },
  { at: 0x8001, bytes: 'CD001', format: 'iso' },
];

const lhaMethod = /^..-l[hz][0-9s]-/s;
const textLead = 8192;
const zipEndLead = 66_000;

/** The wrapper format by the bytes, else by the name; undefined when it is no supported wrapper. */
export function wrapperFormat(type: string, bytes: Uint8Array, name: string): WrapperFormat | undefined {
  if (type === 'Mail' || type === 'News') return 'mail';
  if (type === 'PDF') return 'pdf';
  const start = latin1(bytes, 0, 8);
  if (carrierTypes.has(type)) return start.startsWith('PK\x03\x04') ? 'office' : undefined;
  const marked = marks.find((mark) =>
    mark.at === 0 ? start.startsWith(mark.bytes) : latin1(bytes, mark.at, mark.bytes.length) === mark.bytes,
  );
  if (marked !== undefined) return marked.format;
  if (isSkippableZstd(bytes)) return 'zstd';
  if (isTar(bytes)) return 'tar';
  if (lhaMethod.test(start)) return 'lha';
  if (/\.(?:lzma|tlz)$/i.test(name) && bytes[0] === 0x5d) return 'lzma';
  const lead = latin1(bytes, 0, textLead);
  if (type === 'ShellArchive' || /^(?:#!.*\r?\n)?(?::\r?\n)?#.{0,10}this is a shell archive/i.test(lead))
    return 'shar';
  if (lead.includes('(This file must be converted')) return 'binhex';
  if (/^begin(?:-base64)? [0-7]{3,4} \S/m.test(lead)) return 'uuencode';
  if (type === 'Uuencoded') return 'uuencode';
  // A zip may follow a program that unpacks it, or any other data.
  if (type === 'PCCompressed' && hasZipEnd(bytes)) return 'zip';
  return undefined;
}

function isSkippableZstd(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) & 0xf0) === 0x50 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
}

function hasZipEnd(bytes: Uint8Array): boolean {
  return latin1(bytes, Math.max(0, bytes.length - zipEndLead), zipEndLead).includes('PK\x05\x06');
}

function latin1(bytes: Uint8Array, from: number, length: number): string {
  const stretch = bytes.subarray(from, from + length);
  return Buffer.from(stretch.buffer, stretch.byteOffset, stretch.byteLength).toString('latin1');
}
