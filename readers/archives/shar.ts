import { NameDecoder } from '../charsets/index.ts';
import { CorruptData, cutShort } from '../compression/index.ts';
import { type ArchiveEntry, brokenEntry, heldBytes } from './archive-entry.ts';
import { latin1, lines, uuencodedParts } from './uuencode.ts';

const maxCommandLength = 4096;

/** A here-document and the file that the command before it writes. */
interface HereDocument {
  readonly delimiter: string;
  /** A prefix that is removed from each line, as by `sed 's/^X//'`. */
  readonly prefix: string;
  /** The file that it is written to; undefined when it goes elsewhere. */
  readonly target?: string;
  readonly uuencoded: boolean;
}

/**
 * The files in a shell archive, read as text and never run: the here-documents that `cat` or `sed` write to a
 * file with a literal name, and those that uudecode reads. A part that the archive would unpack further gets
 * the ending of its compression (`.gz`), and is unpacked like any such file. A file split over several
 * here-documents (`>>`) is joined.
 * @throws CorruptData when the archive ends inside a file, or holds none
 */
export function* sharEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  let here: HereDocument | undefined;
  let body: string[] = [];
  let held: { name: string; content: Uint8Array[] } | undefined;
  let packed: Uint8Array | undefined;
  let found = false;
  for (const { line } of lines(latin1(bytes))) {
    if (here !== undefined) {
      if (line !== here.delimiter) {
        body.push(line.startsWith(here.prefix) ? line.slice(here.prefix.length) : line);
        continue;
      }
      const text = body.length === 0 ? '' : `${body.join('\n')}\n`;
      const { target, uuencoded } = here;
      here = undefined;
      body = [];
      // Some archives first write the uuencoded text to a file whose name only a shell can expand.
      if (uuencoded || (target === undefined && /^begin(?:-base64)? [0-7]{3,4} /.test(text))) {
        if (held !== undefined) yield entryOf(held.name, held.content);
        held = undefined;
        for (const part of uuencodedParts(text)) {
          if (!part.whole) {
            found = true;
            yield brokenEntry(part.name, cutShort);
          } else if (/(?:^|\/)_sh\d+\//.test(part.name)) packed = part.bytes;
          else {
            found = true;
            yield entryOf(part.name, [part.bytes]);
          }
        }
      } else if (target !== undefined) {
        const appended = target.startsWith('>>');
        const name = appended ? target.slice(2) : target;
        if (appended && held?.name === name) held.content.push(Buffer.from(text, 'latin1'));
        else {
          if (held !== undefined) yield entryOf(held.name, held.content);
          held = { name, content: [Buffer.from(text, 'latin1')] };
        }
        found = true;
      }
      continue;
    }
    if (line.length > maxCommandLength) continue;
    if (packed !== undefined) {
      const name = unpackTarget(line);
      if (name !== undefined) {
        found = true;
        yield entryOf(name, [packed]);
        packed = undefined;
      }
    }
    here = hereDocument(line);
  }
  if (held !== undefined) yield entryOf(held.name, held.content);
  if (here !== undefined) throw new CorruptData(cutShort);
  if (!found) throw new CorruptData('it has no file that can be read without running it');
}

function entryOf(latin1Name: string, parts: readonly Uint8Array[]): ArchiveEntry {
  const content = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  const name = new NameDecoder().decode(Buffer.from(latin1Name, 'latin1'));
  return { name, size: content.length, read: heldBytes(content) };
}

// Word by word rather than as one expression: quoting may be single, double, or a backslash.
function hereDocument(line: string): HereDocument | undefined {
  const mark = line.indexOf('<<');
  if (mark < 0) return undefined;
  const delimiter = word(line, mark + (line[mark + 2] === '-' ? 3 : 2));
  if (delimiter === undefined || delimiter.text === '') return undefined;
  const before = line.slice(0, mark);
  const rest = line.slice(delimiter.end);
  const prefix = /\bsed\s+(?:-e\s+)?["']?s\/\^([^/\\"']{1,8})\/\/["']?/.exec(before)?.[1] ?? '';
  const uuencoded = /\|\s*uudecode\b/.test(rest) || isLastCommand(before, 'uudecode');
  const writes = /(?:^|[;&|(]\s*|\s)(?:cat|sed)\b/.test(before);
  const target = writes && !uuencoded ? (redirection(rest) ?? redirection(before)) : undefined;
  return { delimiter: delimiter.text, prefix, uuencoded, ...(target === undefined ? {} : { target }) };
}

function isLastCommand(line: string, command: string): boolean {
  const at = line.lastIndexOf(command);
  return at >= 0 && !/[|;&]/.test(line.slice(at));
}

// The file after `>` or `>>`, the latter marked by both signs; undefined when it is not plain.
function redirection(text: string): string | undefined {
  const sign = text.indexOf('>');
  if (sign < 0) return undefined;
  const appended = text[sign + 1] === '>';
  const name = word(text, sign + (appended ? 2 : 1));
  if (name === undefined || name.text === '' || /^&|^\/dev\//.test(name.text)) return undefined;
  return appended ? `>>${name.text}` : name.text;
}

/** The shell word at `from` without its quotes; undefined when only a shell can expand it. */
function word(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  let plain = '';
  let quote = '';
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (quote === "'") {
      if (character === "'") quote = '';
      else plain += character;
    } else if (character === '$' || character === '`') return undefined;
    else if (character === '\\' && at + 1 < text.length) plain += text[++at];
    else if (quote === '"') {
      if (character === '"') quote = '';
      else plain += character;
    } else if (character === "'" || character === '"') quote = character;
    else if (/[\s;&|<>()]/.test(character)) break;
    else plain += character;
  }
  return quote === '' ? { text: plain, end: at } : undefined;
}

const unpackers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gzip: '.gz',
    gunzip: '.gz',
    zcat: '.gz',
    bzip2: '.bz2',
    bunzip2: '.bz2',
    xz: '.xz',
    unxz: '.xz',
    uncompress: '.Z',
    compress: '.Z',
  }),
);

// `gzip -dc ${lock_dir}/gzi > 'name'`: the name with the compression's ending.
function unpackTarget(line: string): string | undefined {
  const program = /^\s*(\w{1,12})\b/.exec(line)?.[1];
  const ending = program === undefined ? undefined : unpackers.get(program);
  const name = ending === undefined ? undefined : redirection(line);
  return name === undefined || name.startsWith('>>') ? undefined : `${name}${ending}`;
}
