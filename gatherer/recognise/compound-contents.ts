import { ByteView } from '../../readers/bytes/index.ts';
import { type TypeName, typeMediaTypes } from './type-names.ts';

const maxDirectoryBytes = 4096;
const entryBytes = 128;
const headerBytes = 512;

/** Streams by which a document in a compound file is known. */
const streams: ReadonlyMap<string, TypeName> = new Map([
  ['WordDocument', 'MSWord'],
  ['Workbook', 'MSExcel'],
  ['Book', 'MSExcel'],
  ['PowerPoint Document', 'MSPowerPoint'],
]);

/** The type of an older Office file (MS-CFB) by the names at the beginning of its directory; undefined for others. */
export function compoundDocument(
  bytes: Uint8Array,
): { readonly type: TypeName; readonly mediaType: string; readonly certain: true } | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = new ByteView(bytes, true);
  const sector = 1 << Math.min(view.u16(30), 16);
  const start = (view.u32(48) + 1) * sector;
  const end = Math.min(start + maxDirectoryBytes, view.length);
  for (let at = start; at + entryBytes <= end; at += entryBytes) {
    const length = view.u16(at + 64);
    if (length < 4 || length > 64) continue;
    const type = streams.get(view.utf16(at, at + length - 2));
    if (type !== undefined) return { type, mediaType: typeMediaTypes[type], certain: true };
  }
  return undefined;
}
