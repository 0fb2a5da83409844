import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Make files that were made, renamed or removed in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Write a file for this user alone; after a crash it is the old one or, once this resolves, the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: true });
  await rename(fresh, path);
  await syncFolder(dirname(path));
}
