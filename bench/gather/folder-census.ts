import type { Dirent } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a folder holds, names that begin with a dot left out; links are not followed. */
export interface Census {
  /** Paths of its regular files, below the folder. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Count the regular files below a folder. Folders that cannot be read are left out. */
export async function censusOf(folder: string): Promise<Census> {
  const files: string[] = [];
  const rest = [''];
  let bytes = 0;
  for (let below = rest.pop(); below !== undefined; below = rest.pop()) {
    const entries: Dirent[] = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = join(below, entry.name);
      if (entry.isDirectory()) rest.push(path);
      if (!entry.isFile()) continue;
      files.push(path);
      bytes += (await lstat(join(folder, path))).size;
    }
  }
  return { files: files.sort(), bytes };
}

/** Copy the HTML files of a folder, all that pagefind reads, into a new one, with their times. */
export async function copyHtml(from: string, to: string, { files }: Census): Promise<Census> {
  await mkdir(to);
  const pages = files.filter((file) => file.endsWith('.html'));
  let bytes = 0;
  for (const page of pages) {
    await mkdir(dirname(join(to, page)), { recursive: true });
    await copyFile(join(from, page), join(to, page));
    const { atime, mtime, size } = await lstat(join(from, page));
    await utimes(join(to, page), atime, mtime);
    bytes += size;
  }
  return { files: pages, bytes };
}
