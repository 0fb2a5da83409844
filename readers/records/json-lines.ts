import { lenientJson } from '../json/index.ts';
import type { ExplodedRecord } from './record.ts';

const lineFeed = 0x0a;
const maxLineBytes = 16 * 1024 * 1024;

/** The objects of a JSON Lines file, each named by its line number; `skipped` is called for each line that is none. */
export function* jsonLineRecords(bytes: Uint8Array, skipped?: () => void): Generator<ExplodedRecord> {
  let number = 0;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    at = end + 1;
    number++;
    const isLong = line.length > maxLineBytes;
    const text = isLong ? '' : Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
    if (!isLong && text.trim() === '') continue;
    const value = lenientJson(text);
    if (value === undefined) skipped?.();
    else yield { path: String(number), type: 'JSON', bytes: line, fields: fieldsOf(value) };
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
