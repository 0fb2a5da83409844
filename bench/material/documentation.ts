import { existsSync } from 'node:fs';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { summariserOf } from '../../gatherer/index.ts';

/** A page of HTML in the form that every engine gets. */
export interface DocumentationPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/** Pages that have been read, as JSON lines in a file. */
export interface Documentation {
  readonly file: string;
  readonly folders: readonly string[];
  readonly pages: number;
  readonly htmlBytes: number;
  /** UTF-8 bytes of titles and texts. */
  readonly textBytes: number;
}

/** Debian's packages of manuals in HTML, with the folder that holds the pages. */
export const documentationPackages: Readonly<Record<string, string>> = {
  'apache2-doc': '/usr/share/doc/apache2-doc/manual',
  'git-doc': '/usr/share/doc/git-doc',
  'postgresql-doc-15': '/usr/share/doc/postgresql-doc-15/html',
  'python3.11-doc': '/usr/share/doc/python3.11/html',
  'openjdk-17-doc': '/usr/share/doc/openjdk-17-doc/api',
};

/** The folders of the installed packages, and the packages that are not installed. */
export function installedDocumentation(): {
  readonly folders: readonly string[];
  readonly absent: readonly string[];
} {
  const all = Object.entries(documentationPackages);
  return {
    folders: all.filter(([, path]) => existsSync(path)).map(([, path]) => path),
    absent: all.filter(([, path]) => !existsSync(path)).map(([name]) => name),
  };
}

const bounds = { maxTextBytes: 64 * 1024 * 1024, maxDocumentBytes: 64 * 1024 * 1024 };

/**
 * Read every HTML file below the folders as a Gatherer does for full summaries, and write title and text to a file.
 */
export async function readDocumentation(folders: readonly string[], file: string): Promise<Documentation> {
  const summarise = await summariserOf('HTML')?.load();
  if (summarise === undefined) throw new TypeError('no summariser for HTML');
  await using out = await open(file, 'w');
  let [pages, htmlBytes, textBytes] = [0, 0, 0];
  const seen = new Set<string>();
  for (const folder of folders) {
    for await (const path of pagesBelow(folder, seen)) {
      const bytes = await readFile(path);
      const page = await pageOf(path, bytes, summarise);
      if (page.text === '' && page.title === '') continue;
      await out.write(`${JSON.stringify(page)}\n`);
      pages++;
      htmlBytes += bytes.length;
      textBytes += Buffer.byteLength(page.title) + Buffer.byteLength(page.text);
    }
  }
  if (pages === 0) throw new Error(`there is no page of HTML in ${folders.join(', ')}`);
  return { file, folders, pages, htmlBytes, textBytes };
}

/** HTML files in the order of their names; links are followed, and each file occurs once. */
export async function* pagesBelow(folder: string, seen: Set<string>): AsyncGenerator<string> {
  const real = await realpath(folder);
  if (seen.has(real)) return;
  seen.add(real);
  for (const name of (await readdir(real)).sort()) {
    const path = join(real, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) yield* pagesBelow(path, seen);
    if (found?.isFile() !== true || !/\.html?$/.test(name)) continue;
    const target = await realpath(path);
    if (seen.has(target)) continue;
    seen.add(target);
    yield target;
  }
}

type Summarise = Awaited<ReturnType<NonNullable<ReturnType<typeof summariserOf>>['load']>>;

async function pageOf(path: string, bytes: Uint8Array, summarise: Summarise): Promise<DocumentationPage> {
  const url = `http://docs.example.org${encodeURI(path)}`;
  const document = { url, name: basename(path), bytes, type: 'HTML', mediaType: 'text/html' };
  const { title = '', text } = await summarise(document, { ...bounds, text: 'full' });
  return { url, title, text: (text?.blocks ?? []).map((block) => block.text).join('\n') };
}

/** The pages of a file that `readDocumentation` has written, one after another. */
export async function* documentationPages(file: string): AsyncGenerator<DocumentationPage> {
  await using handle = await open(file);
  const lines = createInterface({ input: handle.createReadStream({ autoClose: false }) });
  for await (const line of lines) yield JSON.parse(line) as DocumentationPage;
}
