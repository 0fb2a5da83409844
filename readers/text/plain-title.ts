import { cutAtWord } from '../../kernel/index.ts';
import { beginning, oneLine } from './clean-text.ts';
import { isLicenceText } from './licence-text.ts';
import { isNameHeading, isToolLine, withoutEditorMarks } from './plain-sections.ts';

const maxTitle = 200;
const titleSearched = 8 * 1024;
const says = (line: string) => /[\p{L}\p{N}]/u.test(line);

// reStructuredText's markup: `.. directive::`, `.. _target:`, `:field: value`. It is no text for a reader.
const markupLine = /^(?:\.\. |\.\.$|:[\w-]+:\s)/;
/** A word with its role, such as :mod:`zipfile`; the word alone is for reading. */
const role = /:[\w:+-]+:`[!~]?([^`<]+?)(?:\s*<[^`>]*>)?`(?:\\ )?/g;
const underline = /^([=\-~^"'`*+#:._])\1{2,}$/;
// A rule below the names of columns does not make them a heading.
const columns = /\S(?:\s{3,}|\s*\|\s*)\S/;
const boxed = /^\s*[|║│].*[|║│]\s*$/;
const border = /^\s*[+╔╚┌└|][-=═─]{3,}[+╗╝┐┘|]\s*$/;
const generated =
  /^\W*(?:this file (?:is|was) )?(?:auto(?:matically)?[- ]?)?generated (?:by|from|automatically)\b/i;

/**
 * The title of plain text: the first underlined heading near the beginning, else the first line with text. Lines for
 * editors and programs are passed over. A change log that begins with an entry, and a `copyright` of Debian, are named
 * by what they are and their package: `ChangeLog (tide)`.
 */
export function plainTitle(text: string, name: string, url: string): string | undefined {
  const read = beginning(text, titleSearched)
    .split('\n')
    .filter((line) => !isToolLine(line))
    .map(withoutEditorMarks);
  // A notice of rights is no title; a licence before other text than a change log may be all there is.
  const isNotice = logName.test(name) || rights.test(read.find(says) ?? '');
  const lines = isNotice ? read.slice(afterLicence(read)) : read;
  const isBoxed = (line: string, at: number) =>
    boxed.test(line) && !(border.test(lines[at - 1] ?? '') && border.test(lines[at + 1] ?? ''));
  const hasText = (line: string, at: number) =>
    says(line) &&
    !markupLine.test(line) &&
    !isBoxed(line, at) &&
    !generated.test(line) &&
    !isNameHeading(line);
  const underlined = lines.find((line, at) => {
    const below = lines[at + 1]?.trim() ?? '';
    return (
      hasText(line, at) &&
      !columns.test(line.trim()) &&
      underline.test(below) &&
      below.length >= line.trim().length - 2
    );
  });
  const first = lines.find(hasText) ?? lines.find(says);
  if (first === undefined) return undefined;
  if (/^(?:licen[cs]e|copying|unlicense)(?:[-_.].*)?$/i.test(name) && rights.test(first))
    return titleWith(name, folderOf(url));
  const known = copyrightTitle(lines, name, url) ?? changesTitle(first, underlined, name, url);
  if (known !== undefined) return known;
  // Rules around a title are not part of it.
  return oneLine(cutAtWord((underlined ?? first).trim(), maxTitle))
    .replace(/^[\s=#*~_|║│-]+|[\s=#*~_|║│-]+$/g, '')
    .replace(role, '$1');
}

const rights = /^[^\p{L}\p{N}]*(?:copyright\b[^\p{L}\n]*(?:\(c\)|©|\d{4})|spdx-[\w-]{1,30}:)/iu;

/** Where the paragraphs about rights at the beginning end. */
function afterLicence(lines: readonly string[]): number {
  for (let from = 0; ; ) {
    const start = lines.findIndex((line, at) => at >= from && says(line));
    if (start < 0) return 0;
    const end = lines.findIndex((line, at) => at > start && !says(line));
    if (!isLicenceText(lines.slice(start, end < 0 ? lines.length : end).join(' '))) return start;
    if (end < 0) return 0;
    from = end;
  }
}

const debianFormat = /^Format(?:-Specification)?:\s*<?\S*debian\.(?:org|net)\//i;

function copyrightTitle(lines: readonly string[], name: string, url: string): string | undefined {
  if (!/^(?:debian[-_.])?copyright$/i.test(name) && !debianFormat.test(lines[0] ?? '')) return undefined;
  const upstream = lines
    .map((line) => /^(?:Upstream-Name|Name):\s*(\S.{0,100})$/i.exec(line)?.[1])
    .find((found) => found !== undefined);
  return titleWith('Copyright', upstream === undefined ? folderOf(url) : oneLine(upstream));
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const day = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?';
const dated = new RegExp(
  `^\\W*(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|${day}\\s+(?:${month}\\s+\\d{1,2}|\\d{1,2}\\s+${month})\\b|\\d{1,2}[-\\s]${month}[-\\s]\\d{4}|${month}\\s+\\d{1,2},\\s+\\d{4})`,
  'i',
);
/** An address, also one that is disguised: `kim at x.example`, `<kim AT x>`. */
const person =
  /<[^<>\n]*>|\S@\S|\(?\b\S+ (?:at|AT) \S+\.\S+|\s{2,}\p{Lu}[\p{L}.'’-]+(?:\s\p{Lu}[\p{L}.'’-]+)+\s*$/u;
const versionControl = /^(?:commit [0-9a-f]{40}|r\d+ \| \S+ \| |changeset:\s+\d+:|-{20,}$)/;
const debianEntry = /^([a-z\d][a-z\d+.-]{1,80}) \(([^()\s]{1,80})\) [^;]{1,80};\s*(?:urgency|binary-only)=/i;
const logName = /^(?:changelog|changes|news|history|release[-_. ]?notes|whatsnew)(?:[-_.].*)?$/i;
const entryStart =
  /^\W*(?:v(?:er)?\.?|version|release|rel\.?|changes (?:in|for|from|since)(?: version)?|unreleased)?\W*(?:v?\d+(?:\.[\dx]+)+|$)/i;

/** The title of a change log in markup whose first heading is one of its entries; undefined for others. */
export function logTitle(heading: string, name: string, url: string): string | undefined {
  return logName.test(name) && (dated.test(heading) || entryStart.test(heading))
    ? changesTitle(heading, undefined, name.replace(/\.\w{1,12}$/, ''), url)
    : undefined;
}

/** The title of a change log that begins with one of its entries; `heading`: its first underlined line. */
function changesTitle(
  first: string,
  heading: string | undefined,
  name: string,
  url: string,
): string | undefined {
  const debian = debianEntry.exec(first.trim());
  if (debian !== null) return titleWith('ChangeLog', `${debian[1]} ${debian[2]}`);
  const stem = name.replace(/\.(?:txt|gz|Z|bz2|xz|old|\d{1,4})$/gi, '');
  const isLog = logName.test(stem);
  const label = isLog && !/^changelog/i.test(stem) ? stem : 'ChangeLog';
  if (versionControl.test(first) || (dated.test(first) && person.test(first)))
    return titleWith(label, folderOf(url));
  const candidate = heading ?? first;
  const isNameless = /^\W*change ?logs?\W*$/i.test(candidate);
  return isLog && (isNameless || dated.test(candidate) || entryStart.test(candidate))
    ? titleWith(label, folderOf(url))
    : undefined;
}

const titleWith = (label: string, of: string | undefined) => (of === undefined ? label : `${label} (${of})`);

/** The name of the folder around a document, or around a member of an archive. */
function folderOf(url: string): string | undefined {
  const [address = '', member] = url.split('#', 2);
  const path = member ?? (URL.canParse(address) ? new URL(address).pathname : address);
  const folder = path.split('/').filter(Boolean).at(-2) ?? '';
  try {
    return oneLine(cutAtWord(decodeURIComponent(folder), maxTitle)) || undefined;
  } catch {
    return undefined;
  }
}
