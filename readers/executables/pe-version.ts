import type { ByteView } from '../bytes/index.ts';
import type { Field } from '../document/index.ts';
import { fact } from '../text/index.ts';

const versionType = 16;

const names: Readonly<Record<string, string>> = {
  FileDescription: 'Description',
  ProductName: 'Product',
  CompanyName: 'Organization',
  FileVersion: 'Version',
  LegalCopyright: 'Copyright',
  InternalName: 'Internal-Name',
  OriginalFilename: 'Original-Name',
  Comments: 'Comments',
};

/** The texts of a program's version resource (VS_VERSIONINFO), of its first language. `root` is the resource tree. */
export function versionFields(file: ByteView, root: number, offsetOf: (address: number) => number): Field[] {
  const type = subdirectory(file, root, root, versionType);
  const name = type && subdirectory(file, root, type, undefined);
  const entry = name && leaf(file, root, name);
  if (entry === undefined) return [];
  const start = offsetOf(file.u32(entry));
  const data = file.part(start, start + Math.min(file.u32(entry + 4), 64 * 1024));
  const fields: Field[] = [];
  // Structures are found by their keys, since the ones in between only nest them.
  for (const [key, attribute] of Object.entries(names)) {
    const at = keyAt(data, key);
    if (at === undefined) continue;
    // The value follows the key and its zero, padded to four bytes.
    const valueAt = (at + key.length * 2 + 2 + 3) & ~3;
    const units = data.u16(at - 4);
    fields.push(fact(attribute, data.utf16(valueAt, valueAt + units * 2).split('\0', 1)[0]));
  }
  return fields;
}

function keyAt(data: ByteView, key: string): number | undefined {
  const wanted = Buffer.from(`${key}\0`, 'utf16le');
  const bytes = Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.length);
  const at = bytes.indexOf(wanted);
  return at >= 6 ? at : undefined;
}

const maxEntries = 4096;

/** The offset of the subdirectory with a number, or of the first one. */
function subdirectory(file: ByteView, root: number, at: number, id: number | undefined): number | undefined {
  const count = Math.min(file.u16(at + 12) + file.u16(at + 14), maxEntries);
  for (let index = 0; index < count; index++) {
    const entry = at + 16 + index * 8;
    const target = file.u32(entry + 4);
    if ((id === undefined || file.u32(entry) === id) && target >= 0x80000000)
      return root + target - 0x80000000;
  }
  return undefined;
}

function leaf(file: ByteView, root: number, at: number): number | undefined {
  if (file.u16(at + 12) + file.u16(at + 14) === 0) return undefined;
  const target = file.u32(at + 20);
  return target < 0x80000000 ? root + target : undefined;
}
