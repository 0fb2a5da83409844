import { parse } from 'csv-parse';
import type { ExplodedRecord } from './record.ts';

const maxColumns = 4096;
const maxCellBytes = 1024 * 1024;
const piece = 64 * 1024;

/**
 * The rows of a table of comma-, semicolon- or tab-separated values (RFC 4180 and its variants), each as a
 * record named by its number, the header row not counted. The header row names the fields; a column without a
 * name is `column-3`. `bytes` is the row as lines `name: value`.
 */
export async function* csvRecords(text: string): AsyncGenerator<ExplodedRecord> {
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxCellBytes,
  });
  const feeding = feed(text, parser);
  let names: string[] | undefined;
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<string[]>) {
      const cells = row.slice(0, maxColumns);
      if (names === undefined) {
        names = cells.map((name, index) => name.trim().toLowerCase() || `column-${index + 1}`);
        continue;
      }
      const known = names;
      number++;
      const fields = cells
        .map((value, index) => [known[index] ?? `column-${index + 1}`, value.trim()] as const)
        .filter(([, value]) => value !== '');
      const lines = fields.map(([name, value]) => `${name}: ${value}\n`).join('');
      yield { path: String(number), type: 'Text', bytes: Buffer.from(lines), fields };
    }
  } finally {
    parser.destroy();
    await feeding;
  }
}

async function feed(text: string, parser: ReturnType<typeof parse>): Promise<void> {
  parser.on('error', () => {});
  for (let at = 0; at < text.length && !parser.destroyed; at += piece) {
    if (parser.write(text.slice(at, at + piece))) continue;
    await new Promise<void>((resolve) => {
      const go = () => {
        parser.off('drain', go).off('close', go);
        resolve();
      };
      parser.on('drain', go).on('close', go);
    });
  }
  if (!parser.destroyed) parser.end();
}

// The most frequent separator of the first line, outside quotes.
function delimiterOf(text: string): string {
  const first = text.slice(0, Math.min(text.length, 64 * 1024)).split(/\r?\n|\r/, 1)[0] ?? '';
  const bare = first.replace(/"[^"]*"/g, '');
  const counts = [',', '\t', ';', '|'].map((sign) => [sign, bare.split(sign).length] as const);
  return counts.reduce((max, other) => (other[1] > max[1] ? other : max))[0];
}
