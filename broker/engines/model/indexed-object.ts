import type { Language } from '../../../query/index.ts';

/** The index's data under an object's OID. */
export interface IndexedObject {
  readonly docno: number;
  readonly language: Language;
}

/** Docno (4 bytes, big-endian), then the language's code. */
export function encodeIndexedObject({ docno, language }: IndexedObject): Uint8Array {
  const value = Buffer.allocUnsafe(4 + language.length);
  value.writeUInt32BE(docno);
  value.write(language, 4, 'latin1');
  return value;
}

export const decodeIndexedObject = (value: Uint8Array): IndexedObject => ({
  docno: new DataView(value.buffer, value.byteOffset).getUint32(0),
  language: Buffer.from(value.buffer, value.byteOffset + 4, value.length - 4).toString('latin1') as Language,
});
