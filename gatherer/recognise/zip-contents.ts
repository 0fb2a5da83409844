import type { TypeName } from './type-names.ts';

// The directory of a zip is at its end, followed by a comment; the end record and comment have at most this many bytes.
const maxEnd = 22 + 65_535;
const maxMembers = 2000;
const maxName = 100;

interface Kind {
  readonly type: TypeName;
  readonly mediaType: string;
  /** Members that every document of the kind has. */
  readonly members: readonly string[];
}

const openXml = (part: string) => `application/vnd.openxmlformats-officedocument.${part}`;

const kinds: readonly Kind[] = [
  {
    type: 'MSWord',
    mediaType: openXml('wordprocessingml.document'),
    members: ['[Content_Types].xml', 'word/document.xml'],
  },
  {
    type: 'MSExcel',
    mediaType: openXml('spreadsheetml.sheet'),
    members: ['[Content_Types].xml', 'xl/workbook.xml'],
  },
  {
    type: 'MSPowerPoint',
    mediaType: openXml('presentationml.presentation'),
    members: ['[Content_Types].xml', 'ppt/presentation.xml'],
  },
  { type: 'EPUB', mediaType: 'application/epub+zip', members: ['mimetype', 'META-INF/container.xml'] },
  {
    type: 'OpenDocument',
    mediaType: 'application/vnd.oasis.opendocument.text',
    members: ['mimetype', 'META-INF/manifest.xml', 'content.xml'],
  },
];

/**
 * The type of a zip file whose members are those of an office document or a book; without a type for other archives,
 * which are certain only if their directory can be read.
 */
export function zippedDocument(bytes: Uint8Array): {
  readonly type?: TypeName;
  readonly mediaType?: string;
  readonly certain: boolean;
} {
  const names = memberNames(bytes);
  const kind = kinds.find(({ members }) => members.every((member) => names.has(member)));
  if (kind !== undefined) return { type: kind.type, mediaType: kind.mediaType, certain: true };
  // An Office document may keep its main part under another name.
  return {
    certain: names.size > 0 && !names.has('[Content_Types].xml') && !names.has('META-INF/container.xml'),
  };
}

/** Short names of the members at the beginning of the central directory (APPNOTE 4.3.12); none when it is broken. */
function memberNames(whole: Uint8Array): ReadonlySet<string> {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const names = new Set<string>();
  const tail = Math.max(0, bytes.length - maxEnd);
  const end = tail + bytes.subarray(tail).lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < tail || end + 22 > bytes.length) return names;
  let at = bytes.readUInt32LE(end + 16);
  for (let count = 0; count < maxMembers && at + 46 <= end; count++) {
    if (bytes.readUInt32BE(at) !== 0x504b0102) break;
    const length = bytes.readUInt16LE(at + 28);
    // Some programs write backslashes.
    if (length <= maxName)
      names.add(bytes.toString('latin1', at + 46, at + 46 + length).replaceAll('\\', '/'));
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}
