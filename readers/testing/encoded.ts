import { decodeAs } from '../charsets/index.ts';

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Text in a charset of one or two bytes a character, by the decoder turned round; throws for another character. */
export function encoded(text: string, charset: string): Uint8Array {
  let table = tables.get(charset);
  if (table === undefined) {
    table = tableOf(charset);
    tables.set(charset, table);
  }
  const bytes: number[] = [];
  for (const character of text) {
    const found = table.get(character);
    if (found === undefined) throw new RangeError(`${charset} has no ${character}`);
    bytes.push(...found);
  }
  return Uint8Array.from(bytes);
}

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    const text = decodeAs(Uint8Array.from(bytes), charset);
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add([byte]);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail]);
  return table;
}
