import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Block } from '../gatherer/index.ts';
import type { Document } from './levels-collections.ts';

const least = 3000;
const most = 64 * 1024 * 1024;
const title = 160;
const numbered = /^(?:\d+(?:\.\d+)*\.?|[A-Z]\.(?:\d+\.?)*)\s+\p{Lu}/u;

/** Blocks of what pdftotext or ps2ascii prints: paragraphs by blank lines, short numbered lines are headings. */
export function printedBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of text.replaceAll('\f', '\n\n').split(/\n[^\S\n]*\n/)) {
    const joined = part
      .replace(/(\p{L})[-\u2010]\n\s*(?=\p{Ll})/gu, '$1')
      .replace(/\s+/g, ' ')
      .trim();
    if (!/\p{L}{2}/u.test(joined)) continue;
    if (blocks.length === 0) blocks.push({ role: 'heading', level: 1, text: joined.slice(0, title) });
    else if (joined.length < 90 && numbered.test(joined))
      blocks.push({ role: 'heading', level: 2, text: joined });
    else blocks.push({ role: 'paragraph', text: joined });
  }
  return blocks;
}

function printed(path: string): string | undefined {
  const file = readFileSync(path);
  const input = path.endsWith('.gz') ? gunzipSync(file) : file;
  const [program, args] = /\.pdf(?:\.gz)?$/.test(path) ? ['pdftotext', ['-', '-']] : ['ps2ascii', []];
  const { stdout, status } = spawnSync(program as string, args as string[], {
    input,
    maxBuffer: most,
    timeout: 120_000,
  });
  return status === 0 ? stdout.toString('utf8') : undefined;
}

/** Technical reports below the folders: PDF and PostScript files with enough text, each content once. */
export function reportsOf(folders: readonly string[], gzip: (bytes: Uint8Array) => number): Document[] {
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, name);
      if (!/\.(?:pdf|ps)(?:\.gz)?$/.test(name) || !statSync(path, { throwIfNoEntry: false })?.isFile())
        continue;
      const text = printed(path);
      if (text === undefined || text.length < least || seen.has(text)) continue;
      seen.add(text);
      const blocks = printedBlocks(text);
      const stored = readFileSync(path);
      const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
      documents.push({
        url: `http://reports.example.org/${path.replace(/^.*\/usr\//, '').replace(/\.gz$/, '')}`,
        bytes: bytes.length,
        gzipped: gzip(bytes),
        title: blocks[0]?.text ?? basename(path),
        blocks,
        text: blocks.map(({ text: own }) => own).join('\n'),
        references: [],
      });
    }
  }
  return documents;
}
