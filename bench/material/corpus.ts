import { existsSync, statSync } from 'node:fs';
import { cp, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Debian's folders of HTML, by their folder in the site. */
const sources = {
  python: { package: 'python3.11-doc', path: '/usr/share/doc/python3.11/html' },
  postgresql: { package: 'postgresql-doc-15', path: '/usr/share/doc/postgresql-doc-15/html' },
  git: { package: 'git-doc', path: '/usr/share/doc/git-doc' },
} as const;

/** A web site made of Debian's documentation: its HTML files alone. */
export interface Site {
  readonly folder: string;
  /** Paths below the folder, with `/`. */
  readonly pages: readonly string[];
  /** Of all pages. */
  readonly bytes: number;
  readonly packages: readonly string[];
}

/**
 * Copy the site into `folder`, with symbolic links and times preserved; `quick` copies only git-doc. Throws an Error
 * that names the packages which are not installed.
 */
export async function copySite(folder: string, quick: boolean): Promise<Site> {
  const chosen = Object.entries(sources).filter(([name]) => !quick || name === 'git');
  const missing = chosen.filter(([, { path }]) => !existsSync(path)).map(([, source]) => source.package);
  if (missing.length > 0)
    throw new Error(`the pages are not installed: apt-get install ${missing.join(' ')}`);
  for (const [name, { path }] of chosen) {
    await cp(path, join(folder, name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: (source) => source.endsWith('.html') || statSync(source).isDirectory(),
    });
  }
  const names = await readdir(folder, { recursive: true });
  const pages = names.filter((name) => name.endsWith('.html')).sort();
  let bytes = 0;
  for (const page of pages) bytes += (await stat(join(folder, page))).size;
  return {
    folder,
    pages: pages.map((page) => page.split(sep).join('/')),
    bytes,
    packages: chosen.map(([, source]) => source.package),
  };
}
