import type { CrossReference, Place } from './cross-reference.ts';
import { isRegular, PdfLexer } from './lexer.ts';
import type { PdfDictionary } from './values.ts';

const maxObjects = 1_000_000;
const maxTrailers = 1000;
const peeked = 300;

/** The result of a search of the whole file. */
export interface SearchedObjects extends CrossReference {
  /** Numbers of probable object streams. */
  readonly containers: readonly number[];
  /** The number of the probable catalogue. */
  readonly catalog?: number;
}

/** The objects of a damaged file, found by searching for `12 0 obj`; the last of a number counts. */
export function searchObjects(bytes: Uint8Array): SearchedObjects {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const places = new Map<number, Place>();
  const containers: number[] = [];
  let catalog: number | undefined;
  for (let at = file.indexOf('obj'); at >= 0 && places.size < maxObjects; at = file.indexOf('obj', at + 3)) {
    const header = headerBefore(bytes, at);
    if (header === undefined) continue;
    places.set(header.number, { offset: header.offset, generation: header.generation });
    const start = file.toString('latin1', at + 3, at + 3 + peeked);
    if (start.includes('/ObjStm')) containers.push(header.number);
    if (/\/Type\s*\/Catalog/.test(start)) catalog = header.number;
  }
  const trailer: PdfDictionary = new Map();
  let trailers = 0;
  for (
    let at = file.indexOf('trailer');
    at >= 0 && trailers++ < maxTrailers;
    at = file.indexOf('trailer', at + 7)
  )
    merge(trailer, new PdfLexer(bytes, at + 7).read());
  return { places, trailer, containers, ...(catalog === undefined ? {} : { catalog }) };
}

function merge(trailer: PdfDictionary, value: unknown): void {
  if (value instanceof Map) for (const [key, item] of value) trailer.set(key, item);
}

/** `12 0 ` that ends right before `at`. */
function headerBefore(
  bytes: Uint8Array,
  at: number,
): { readonly number: number; readonly generation: number; readonly offset: number } | undefined {
  let back = at - 1;
  const number = (): number | undefined => {
    while (back >= 0 && [0, 9, 10, 12, 13, 32].includes(bytes[back] ?? 255)) back--;
    const end = back;
    let value = 0;
    let unit = 1;
    for (; back >= 0 && end - back < 10; back--) {
      const digit = (bytes[back] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      value += digit * unit;
      unit *= 10;
    }
    return back === end ? undefined : value;
  };
  const generation = number();
  if (generation === undefined || isRegular(bytes[back] ?? 32)) return undefined;
  const object = number();
  if (object === undefined || isRegular(bytes[back] ?? 32)) return undefined;
  return { number: object, generation, offset: back + 1 };
}
