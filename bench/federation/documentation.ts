import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Text } from './brokers.ts';

/** Folders of documentation on this machine, as far as they are there. */
export const documentationFolders = ['node_modules', '/usr/share/doc', '/usr/share/man'] as const;

const readable = /\.(md|html?|txt|rst|\d)(\.gz)?$|\/(changelog|readme|news|copyright)[^/]*$/i;
const maxFileBytes = 4 * 1024 * 1024;
const tag = /<[^>]{0,1000}>/g;

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && readable.test(path)) yield path;
  }
}

function textOf(path: string, bytes: Buffer): string {
  const plain = path.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxFileBytes }) : bytes;
  const text = plain.toString();
  return /\.html?(\.gz)?$/.test(path) ? text.replace(tag, ' ') : text;
}

/** The documentation in these folders, file by file in the order of names: each text once. Unreadable ones are left out. */
export async function* documentation(folders: readonly string[]): AsyncGenerator<Text> {
  const seen = new Set<string>();
  for (const folder of folders)
    for await (const path of filesBelow(folder)) {
      let text: string;
      try {
        const bytes = await readFile(path);
        if (bytes.length > maxFileBytes) continue;
        text = textOf(path, bytes);
      } catch {
        continue;
      }
      const mark = `${text.length} ${text.slice(0, 200)}`;
      if (seen.has(mark)) continue;
      seen.add(mark);
      yield { title: path.slice(path.lastIndexOf('/') + 1), text };
    }
}

/** The first texts of the documentation, in Brokers of equal size, each shortened to the length of an article. */
export async function noise(brokers: number, texts: number): Promise<readonly (readonly Text[])[]> {
  const all: Text[] = [];
  for await (const { title, text } of documentation(documentationFolders)) {
    if (text.length < 500) continue;
    all.push({ title, text: text.slice(0, 20_000) });
    if (all.length === brokers * texts) break;
  }
  const each = Math.floor(all.length / brokers);
  return Array.from({ length: brokers }, (_, at) => all.slice(at * each, (at + 1) * each));
}
