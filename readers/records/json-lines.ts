import { lenientJson } from '../json/index.ts';
import type { ExplodedRecord } from './record.ts';

const lineFeed = 0x0a;
const maxLineBytes = 16 * 1024 * 1024;

/** The objects of a JSON Lines file, each named by its line number; other lines are skipped. */
export function* jsonLineRecords(bytes: Uint8Array): Generator<ExplodedRecord> {
  let number = 0;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    at = end + 1;
    number++;
    if (line.length === 0 || line.length > maxLineBytes) continue;
    const value = lenientJson(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'));
    if (value === undefined) continue;
    yield { path: String(number), type: 'JSON', bytes: line, fields: fieldsOf(value) };
  }
}

function fieldsOf(value: unknown): (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, content]) =>
    typeof content === 'string' || typeof content === 'number' || typeof content === 'boolean'
      ? [[name.toLowerCase(), String(content)] as const]
      : [],
  );
}
