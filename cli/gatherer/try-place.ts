import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The file, name and URL of the document to be tried, as given. */
interface Given {
  /** A path, a file: URL, or `-` for standard input. */
  readonly file: string;
  readonly as: string | undefined;
  readonly url: string | undefined;
}

/** The name and the URL under which a document is tried: as given, else those of its file. */
export function tryPlace(
  { file, as, url }: Given,
  cwd: string,
): { readonly name: string; readonly url: string } {
  if (file.startsWith('file://')) return { name: as ?? lastSegment(file), url: url ?? file };
  const path = file === '-' ? undefined : resolve(cwd, file);
  const end = url === undefined ? '' : lastSegment(url);
  const name = as ?? (path === undefined ? end || 'standard-input' : basename(path));
  const folder = path === undefined ? cwd : dirname(path);
  return { name, url: url ?? pathToFileURL(join(folder, basename(name))).href };
}

/** The last part of a URL's path as a file would be called; empty when there is none. */
function lastSegment(url: string): string {
  const segment = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray % belongs to the name.
    return segment;
  }
}
