import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Document } from './collections.ts';
import { readDocument } from './reading.ts';

const least = 3000;

/** Technical reports below the folders: PDF and PostScript files with enough text, each content once. */
export async function reportsOf(
  folders: readonly string[],
  gzip: (bytes: Uint8Array) => number,
): Promise<Document[]> {
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, name);
      if (!/\.(?:pdf|ps)(?:\.gz)?$/.test(name) || !statSync(path, { throwIfNoEntry: false })?.isFile())
        continue;
      const stored = readFileSync(path);
      const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
      const url = `http://reports.example.org/${path.replace(/^.*\/usr\//, '').replace(/\.gz$/, '')}`;
      const type = /\.pdf(?:\.gz)?$/.test(path) ? 'PDF' : 'PostScript';
      // What cannot be read has no text at any level.
      const reading = await readDocument(type, url, bytes).catch(() => undefined);
      if (reading === undefined || reading.text.length < least || seen.has(reading.text)) continue;
      seen.add(reading.text);
      const title = reading.title === '' ? basename(path) : reading.title;
      documents.push({ url, bytes: bytes.length, gzipped: gzip(bytes), ...reading, title });
    }
  }
  return documents;
}
