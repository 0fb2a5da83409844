// Shared by tests of summarisers: one call for one document, and real files of Debian's packages.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { defaultSummariseOptions, type SummariseOptions } from '../../readers/document/index.ts';
import { levelledExtract } from '../pipeline/levelled-extract.ts';
import type { Summariser } from '../summarise/summariser.ts';

/** A summariser's extract of one document, with its fields by name. */
export async function extractOf(
  summariser: Summariser,
  name: string,
  content: string | Uint8Array,
  options: Partial<SummariseOptions> = {},
) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const settled = { ...defaultSummariseOptions, ...options };
  const found = await summariser(
    { url: `http://site.example/docs/${name}`, name, bytes, type: 'Text', mediaType: 'text/plain' },
    settled,
  );
  const extract = levelledExtract(found, settled);
  const fields = new Map(extract.fields.filter(([, value]) => value !== ''));
  return { ...extract, fields, value: (field: string) => fields.get(field), body: extract.text?.[1] ?? '' };
}

/** A file of a Debian package, unzipped; skips the test when the package is not there. */
export function debianFile(t: TestContext, packageName: string, ...paths: string[]): Uint8Array | undefined {
  const path = paths.find(existsSync);
  if (path === undefined) {
    t.skip(`SKIPPED: install ${packageName} (no ${basename(paths[0] ?? '')})`);
    return undefined;
  }
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
