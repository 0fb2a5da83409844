import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether a missing file looks like a path: it begins as one, or its folder exists. */
async function looksLikePath(given: string, cwd: string): Promise<boolean> {
  if (/^\.{0,2}\//.test(given)) return true;
  return given.includes('/') && (await isThere(resolve(cwd, dirname(given))));
}

/**
 * The URL of a document as a person typed it: unchanged, or the file: URL of a path, with the place in the file after a
 * `#`. Other text stays unchanged.
 */
export async function requestedUrl(given: string, cwd: string): Promise<string> {
  if (given === '' || URL.canParse(given)) return given;
  if (await isThere(resolve(cwd, given))) return pathToFileURL(resolve(cwd, given)).href;
  const hash = given.indexOf('#');
  const [file, part] = hash < 0 ? [given, ''] : [given.slice(0, hash), given.slice(hash)];
  const isPath = file !== '' && ((await isThere(resolve(cwd, file))) || (await looksLikePath(file, cwd)));
  return isPath ? pathToFileURL(resolve(cwd, file)).href + part : given;
}
