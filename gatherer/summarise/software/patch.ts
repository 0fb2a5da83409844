import { languageOfName } from '../../../readers/code/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  decodeText,
  eachOf,
  fact,
  joined,
  oneLine,
  readHeaderFields,
  StructuredText,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a patch. */
export const patchAttributes: readonly AttributeNote[] = [
  {
    name: 'Title',
    what: 'The subject of a mailed or git patch, the first line of a Debian patch’s description',
  },
  { name: 'Description', what: 'The text before the changes' },
  { name: 'Author', what: 'Its author' },
  { name: 'Date', what: 'Date of creation or of the last change' },
  { name: 'Commit', what: 'The git commit it was made from' },
  { name: 'Files', what: 'The files it changes, one per line' },
  { name: 'Functions', what: 'The functions that the marks of its hunks name, one per line' },
  { name: 'Hunks', what: 'Number of changed places' },
  { name: 'Lines-Added', what: 'Number of added lines' },
  { name: 'Lines-Removed', what: 'Number of removed lines' },
  { name: 'Bug', what: 'The bugs that a Debian patch’s header names' },
];

const maxFiles = 5000;
const maxDescription = 8 * 1024;

/** Patches in unified, context or git form, mailed or with DEP-3's header; removed lines are left out. */
export const summarisePatch: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const reader = new PatchReader(text);
  reader.read(decodeText(document.bytes, document.charset).split(/\r\n?|\n/));
  const { header } = reader;
  const value = (...names: string[]) => names.map((name) => header.get(name)?.[0]).find(Boolean);
  // Debian's description: its first line is the synopsis.
  const described = value('description');
  text.title =
    value('subject')?.replace(/^(?:\[[^\]]{0,60}\]\s*)+/, '') ?? described?.slice(0, 200) ?? reader.firstLine;
  return text.extract(document, [
    fact(
      'Description',
      [described ?? '', reader.description].filter(Boolean).join(' ').slice(0, maxDescription),
    ),
    ...eachOf('Author', [...(header.get('author') ?? []), ...(header.get('from') ?? [])].slice(0, 16)),
    fact('Date', value('date', 'authordate', 'last-update')),
    fact('Commit', reader.commit),
    joined('Files', reader.files, '\n'),
    joined('Functions', reader.functions, '\n'),
    ['Hunks', String(reader.hunks)],
    ['Lines-Added', String(reader.added)],
    ['Lines-Removed', String(reader.removed)],
    joined(
      'Bug',
      [...header].filter(([name]) => /^(?:bug|closes)/.test(name)).flatMap(([, values]) => values),
    ),
  ]);
};

const begins = /^(?:diff |Index: |--- \S|\*\*\* \S+.*\d{4}|Only in )/;

/** A value of one name, unless it is a function. */
const assignment = /^[\w.$-]+\s*[:?+]?=(?![=>])(?!.*(?:\bfunction\b|=>|\blambda\b))/;

class PatchReader {
  header: ReadonlyMap<string, readonly string[]> = new Map();
  description = '';
  firstLine: string | undefined;
  commit: string | undefined;
  hunks = 0;
  added = 0;
  removed = 0;
  readonly files = new Set<string>();
  readonly functions = new Set<string>();
  readonly #text: StructuredText;
  #block: string[] = [];
  #oldName: string | undefined;
  /** Whether the file is a program: of other files a hunk's mark has any line. */
  #isCode = true;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  read(lines: readonly string[]): void {
    let at = this.#prologue(lines);
    while (at < lines.length) at = this.#line(lines, at);
    this.#end();
  }

  /** The part before the first change: a mail's or git log's header, a description, statistics. */
  #prologue(lines: readonly string[]): number {
    let from = 0;
    while ((lines[from] ?? 'x').trim() === '') from++;
    const commit = /^(?:From|commit|# HG changeset patch|# Node ID) ([0-9a-f]{40})\b/.exec(lines[from] ?? '');
    this.commit = commit?.[1];
    if (commit !== null) from++;
    const { fields, end } = readHeaderFields(lines, from);
    this.header = fields;
    const words: string[] = [];
    let at = end;
    for (; at < lines.length && !begins.test(lines[at] ?? ''); at++) {
      const line = lines[at] ?? '';
      // Statistics follow this line of git.
      if (line === '---') break;
      if (words.length < 500 && !/^#|^---+$/.test(line)) words.push(line.trim() === '.' ? '' : line.trim());
    }
    while (at < lines.length && !begins.test(lines[at] ?? '')) at++;
    this.firstLine = words.find((word) => /\p{L}/u.test(word))?.slice(0, 200);
    this.description = oneLine(words.join('\n').slice(0, maxDescription));
    for (const paragraph of words.join('\n').split(/\n\n+/)) this.#text.paragraph(paragraph);
    return at;
  }

  #line(lines: readonly string[], at: number): number {
    const line = lines[at] ?? '';
    const named = /^(\+\+\+|---|Index:|\*\*\*) ([^\t]{1,1000})/.exec(line);
    if (line.startsWith('diff --git ')) this.#file(/^diff --git "?a\/(.{1,1000}?)"? "?b\//.exec(line)?.[1]);
    else if (line.startsWith('rename to ')) this.#file(line.slice(10));
    else if (line.startsWith('@@')) return this.#hunk(lines, at);
    else if (/^\*{15}/.test(line)) return this.#contextHunk(lines, at, line.replace(/^\*+\s?/, ''));
    else if (named !== null && !/^\*\*\* \d+(?:,\d+)? \*{4}$|^--- \d+(?:,\d+)? -{4}$/.test(line))
      this.#fileLine(named[1] ?? '', named[2] ?? '');
    return at + 1;
  }

  /** The old name comes first (`---`, in context form `***`); it counts when the new one is no file. */
  #fileLine(mark: string, name: string): void {
    const first = mark === '***' || (mark === '---' && this.#oldName === undefined);
    if (first) {
      this.#end();
      this.#oldName = name;
      return;
    }
    this.#file(name.startsWith('/dev/null') ? this.#oldName : name);
    if (mark !== 'Index:') this.#oldName = undefined;
  }

  #file(written: string | undefined): void {
    this.#end();
    const name = (written ?? '')
      .trim()
      .replace(/^"|"$/g, '')
      .replace(/\s+\d{4}-\d\d-\d\d .*$|\s{2,}.*$/, '');
    if (name === '' || name === '/dev/null' || this.files.size >= maxFiles) return;
    const bare = name.replace(/^(?:[ab]|\.)\/(?=.)/, '');
    this.files.add(bare);
    this.#isCode = languageOfName(bare.replace(/\.in$/, '')) !== undefined;
  }

  /** A unified hunk: its mark has the numbers of lines, so that no line is mistaken for a header. */
  #hunk(lines: readonly string[], from: number): number {
    const mark = /^@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@+ ?(.*)$/.exec((lines[from] ?? '').slice(0, 1000));
    if (mark === null) return from + 1;
    this.hunks++;
    this.#function(mark[3] ?? '');
    let old = Number(mark[1] ?? 1);
    let now = Number(mark[2] ?? 1);
    let at = from + 1;
    for (; at < lines.length && (old > 0 || now > 0); at++) {
      const line = lines[at] ?? '';
      const sign = line.charAt(0);
      if (sign === '+') {
        now--;
        this.#add(line.slice(1));
      } else if (sign === '-') {
        old--;
        this.removed++;
      } else if (sign === ' ' || line === '') {
        old--;
        now--;
      } else if (sign !== '\\') break;
    }
    this.#end();
    return at;
  }

  #contextHunk(lines: readonly string[], from: number, name: string): number {
    this.hunks++;
    this.#function(name);
    let at = from + 1;
    let now = false;
    for (; at < lines.length; at++) {
      const line = lines[at] ?? '';
      if (/^--- \d+(?:,\d+)? -{4}/.test(line)) now = true;
      else if (/^\*\*\* \d+(?:,\d+)? \*{4}/.test(line)) now = false;
      else if (/^[+!] /.test(line)) {
        if (now) this.#add(line.slice(2));
        else this.removed++;
      } else if (line.startsWith('- ')) this.removed++;
      else if (!/^ {2}|^\\/.test(line) && line !== '') break;
    }
    this.#end();
    return at;
  }

  #function(name: string): void {
    const words = oneLine(name);
    const isFunction = this.#isCode && /[\p{L}_]/u.test(words) && !assignment.test(words);
    if (isFunction && this.functions.size < 2000) this.functions.add(words);
  }

  #add(line: string): void {
    this.added++;
    if (this.#block.length < 2000 && line.trim() !== '') this.#block.push(line);
  }

  #end(): void {
    if (this.#block.length > 0) this.#text.lines(this.#block.join('\n'));
    this.#block = [];
  }
}
