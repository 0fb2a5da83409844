import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../kernel/index.ts';
import type { Site } from '../material/corpus.ts';

const syllables = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'ri', 'so', 'tu', 'ver', 'zan'];

/** A text of exactly `bytes` bytes in lines, with words that differ from file to file. */
export function smallText(bytes: number, random: Random): string {
  let text = '';
  while (text.length < bytes) {
    const length = 1 + Math.floor(random.next() * 4);
    for (let at = 0; at < length; at++) text += syllables[Math.floor(random.next() * syllables.length)];
    text += random.next() < 0.1 ? '.\n' : ' ';
  }
  return text.slice(0, bytes);
}

/** Write `count` files of `bytes` bytes each into a new folder that every user may read. */
export async function writeSmallFiles(
  folder: string,
  count: number,
  bytes: number,
  random: Random,
): Promise<Site> {
  await mkdir(folder, { mode: 0o755 });
  const pages = Array.from({ length: count }, (_, at) => `file-${String(at).padStart(5, '0')}.txt`);
  for (const page of pages) await writeFile(join(folder, page), smallText(bytes, random), { mode: 0o644 });
  return { folder, pages, bytes: count * bytes, packages: [] };
}
