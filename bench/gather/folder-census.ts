import type { Dirent } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The contents of a folder without names that begin with a dot; links are not followed. */
export interface Census {
  /** Paths of its regular files, relative to the folder. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Count the regular files below a folder. Unreadable folders are left out. */
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

/** Copy the HTML files of a folder, which are all that pagefind reads, into a new folder, with their times. */
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
