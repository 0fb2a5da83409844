import { createHash } from 'node:crypto';
import { chmod, lstat, lutimes, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

// A staging folder: the files of a package as they will lie on the system, with modes and times that depend on
// nothing but the source.

/** Write a file of the package with its folders above. */
export async function put(staging: string, path: string, content: string | Uint8Array): Promise<void> {
  const full = join(staging, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
}

/** Write a file compressed, as Debian has man pages and change logs. */
export function putCompressed(staging: string, path: string, content: string): Promise<void> {
  return put(staging, `${path}.gz`, gzipSync(content, { level: 9 }));
}

/** Make a symbolic link of the package. */
export async function link(staging: string, path: string, to: string): Promise<void> {
  const full = join(staging, path);
  await mkdir(dirname(full), { recursive: true });
  await symlink(to, full);
}

/** Every path below the staging folder, sorted; what a link leads to is not below it. */
async function paths(staging: string): Promise<string[]> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true });
  return entries.map((entry) => relative(staging, join(entry.parentPath, entry.name))).sort();
}

/** Set the mode and time of everything: folders and programs 0755, files 0644 unless `modes` has another. */
export async function settle(
  staging: string,
  { epoch, modes }: { readonly epoch: number; readonly modes: ReadonlyMap<string, number> },
): Promise<void> {
  for (const path of ['', ...(await paths(staging))].reverse()) {
    const full = join(staging, path);
    const stats = await lstat(full);
    if (!stats.isSymbolicLink()) await chmod(full, modes.get(path) ?? (stats.isDirectory() ? 0o755 : 0o644));
    await lutimes(full, epoch, epoch);
  }
}

/** The text of DEBIAN/md5sums, and how many KiB the files take as Debian counts them. */
export async function measured(
  staging: string,
): Promise<{ readonly md5sums: string; readonly kibibytes: number }> {
  const sums: string[] = [];
  let kibibytes = 0;
  for (const path of await paths(staging)) {
    const stats = await lstat(join(staging, path));
    kibibytes += stats.isFile() ? Math.ceil(stats.size / 1024) : 1;
    if (!stats.isFile()) continue;
    const sum = createHash('md5').update(await readFile(join(staging, path)));
    sums.push(`${sum.digest('hex')}  ${path}\n`);
  }
  return { md5sums: sums.join(''), kibibytes };
}
