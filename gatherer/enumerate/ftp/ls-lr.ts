import type { FtpEntry } from '../../../fetch/index.ts';

/** A file in a recursive listing. */
export interface ListedFile {
  /** Names from the root down, as the server's bytes. */
  readonly path: readonly string[];
  readonly entry: FtpEntry;
}

const maxDepth = 64;
const maxLine = 8192;

/** The files that `ls -lR` lists, without links, devices and upward paths. `text`: bytes as Latin-1. */
export function* readLsLr(text: string): Generator<ListedFile> {
  let folder: readonly string[] | undefined = [];
  let fresh = true;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = end - at > maxLine ? '' : text.slice(at, text[end - 1] === '\r' ? end - 1 : end);
    at = end + 1;
    if (line === '') fresh = true;
    else if (fresh && line.endsWith(':') && !isEntry(line)) {
      folder = folderOf(line.slice(0, -1));
      fresh = false;
    } else {
      fresh = false;
      const entry = folder === undefined ? undefined : entryOf(line);
      if (folder !== undefined && entry?.kind === 'file') yield { path: [...folder, entry.name], entry };
    }
  }
}

function isEntry(line: string): boolean {
  return /^[-bcdlps][-rwxsStTL]{9}[+.@]?\s/.test(line);
}

function folderOf(text: string): readonly string[] | undefined {
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  return names.length > maxDepth || names.includes('..') ? undefined : names;
}

/** One line: rights, links, owner, group, size, month, day, time or year, name. */
function entryOf(line: string): FtpEntry | undefined {
  if (!isEntry(line)) return undefined;
  const fields: string[] = [];
  let at = 0;
  const word = /\s*(\S+)/y;
  while (fields.length < 8) {
    word.lastIndex = at;
    const next = word.exec(line)?.[1];
    if (next === undefined) return undefined;
    fields.push(next);
    at = word.lastIndex;
    // An ISO date has one field less than month and day.
    if (fields.length === 7 && /^\d{4}-\d\d-\d\d$/.test(fields[5] ?? '')) break;
  }
  const name = line.slice(at + 1);
  const size = Number(fields[4]);
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || !Number.isSafeInteger(size))
    return undefined;
  const kind = line[0] === '-' ? 'file' : line[0] === 'd' ? 'folder' : line[0] === 'l' ? 'link' : 'other';
  return { name, kind, size, listed: fields.slice(5).join(' ') };
}
