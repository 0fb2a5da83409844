import { beforeLicenceText, beginning, keptLines, oneLine } from '../text/index.ts';
import type { Comment } from './code-scanner.ts';

const maxBlock = 256 * 1024;

/** Comments that belong together, as prose. */
export interface CommentBlock {
  /** Paragraphs parted by an empty line. */
  readonly text: string;
  /** Whether it may describe the file: it is before all code, or its mark says that it is documentation. */
  readonly leads: boolean;
}

/** Marks for tools, not for readers. */
const forTools =
  /^(?:pragma|noqa|type: ?ignore|eslint|istanbul|c8 ignore|@ts-|prettier|biome-ignore|nolint|!?\/\S+$|!?\/usr\/bin\/env )/;

/** Comments of `source` as prose, one text per block of adjacent lines, without marks and frames. */
export function commentBlocks(source: string, comments: readonly Comment[]): CommentBlock[] {
  const blocks: CommentBlock[] = [];
  let leads = false;
  let run: string[] = [];
  let runLength = 0;
  let runEnd = -1;
  const flush = () => {
    const text = keptParagraphs(run.join('\n'));
    if (/\p{L}{2}/u.test(text) && !forTools.test(text)) blocks.push({ text, leads });
    run = [];
    runLength = 0;
  };
  for (const comment of comments) {
    const follows = comment.kind === 'line' && runEnd >= 0 && onNextLine(source, runEnd, comment.start);
    if (!follows || runLength > maxBlock) flush();
    const text = withoutMarks(comment);
    if (run.length === 0)
      leads = comment.first || comment.kind === 'string' || /^(?:\/\*[*!]|=)/.test(comment.text);
    // The `#!` line is not a comment.
    if (comment.start === 0 && comment.text.startsWith('#!')) continue;
    run.push(text);
    runLength += text.length;
    if (comment.kind === 'line') runEnd = comment.start + comment.text.length;
    else {
      flush();
      runEnd = -1;
    }
  }
  flush();
  return blocks;
}

const maxGap = 200;

/** Whether only one line end and white space is between two comments. */
function onNextLine(source: string, from: number, to: number): boolean {
  if (to - from > maxGap) return false;
  const gap = source.slice(from, to);
  return gap.trim() === '' && gap.split('\n').length <= 2;
}

const opening = /^(?:\/\*+!?<?|\(\*+|\{-+|--\[\[|#\||=begin\b|<!--)/;
const closing = /(?:\*\/|\*\)|-\}|\]\]|\|#|\n=(?:end|cut).*)$/;
/** The beginning of a comment line: its mark, and the star or bar of a frame. */
const lineMarks = /^[^\S\n]*(?:\/{2,}!?<?|#+!?|;+|--+\|?|!+|\*+|\|)[^\S\n]?/;

function withoutMarks({ kind, text }: Comment): string {
  if (kind === 'string') return text;
  const inside = kind === 'line' ? text : text.replace(opening, '').trimEnd().replace(closing, '');
  if (text.startsWith('=') && !text.startsWith('=begin')) return podText(text);
  return inside
    .split('\n')
    .map((line) => {
      const bare = withoutFrame(line.replace(lineMarks, ''));
      return /[\p{L}\p{N}]/u.test(bare) ? bare : '';
    })
    .join('\n');
}

/** A line without the stars, bars or number signs that close a frame. */
function withoutFrame(line: string): string {
  const trimmed = line.trimEnd();
  let end = trimmed.length;
  while (end > 0 && frameSigns.includes(trimmed.charAt(end - 1))) end--;
  return trimmed.slice(0, end);
}

const frameSigns = '*#|';
const podFormat = /[BCEFILSXZ]<{1,4} ?([^<>]*?) ?>{1,4}/g;

/** Perl's plain old documentation (perlpod) as text: commands and formatting codes go. */
function podText(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (/^=(?:head[1-6]|item)\b/.test(line)) return `\n${line.replace(/^=\w+\s*\*?/, '')}\n`;
      if (line.startsWith('=')) return '';
      return line;
    })
    .join('\n')
    .replace(podFormat, '$1');
}

/** One empty line separates paragraphs, lines are trimmed. */
function keptParagraphs(text: string): string {
  return text
    .split(/\n[^\S\n]*\n/)
    .map(keptLines)
    .filter(Boolean)
    .join('\n\n');
}

const notDescription =
  /copyright|\(c\)\s|licen[cs]e|all rights reserved|permission is hereby|redistribut|warranty|spdx-|\b(?:vim?|ex):|^@|^author|\$(?:Id|Header|Revision|RCSfile)\b|generated (?:by|from|automatically)|do not edit|coding[:=]|this file is part of|\b[LA]?GPL\b/i;
const maxDescription = 600;
const searchedBlocks = 8;
const modeLine = /-\*-.{0,200}?-\*-/g;

/** The first paragraph of the leading comments that is about the file, not its rights. */
export function describingParagraph(blocks: readonly CommentBlock[]): string | undefined {
  const leading = blocks.filter(({ leads }) => leads).slice(0, searchedBlocks);
  // A manual page in the program (perlpod) names its purpose first.
  for (const { text } of leading) {
    const name = /^NAME\s+([^\n]+)/m.exec(beginning(text, 4096))?.[1];
    if (name !== undefined) return oneLine(beginning(name, maxDescription));
  }
  for (const { text } of leading) {
    const start = beginning(text, 4096).replace(modeLine, '').trim();
    for (const paragraph of start.split('\n\n', 12)) {
      const described = describingLines(paragraph);
      if (described !== undefined) return described;
      // Text after a copyright notice in the same comment is further legal text.
      if (rights.test(paragraph)) break;
    }
  }
  return undefined;
}

const rights = /copyright|licen[cs]e|warrant|public domain/i;
const docTag = /\s[@\\](?:author|param|version|since|see|return|file|brief)\b/;

/** The beginning of a paragraph up to a copyright line; undefined when it is empty. */
function describingLines(paragraph: string): string | undefined {
  const lines = beginning(paragraph, maxDescription * 2).split('\n');
  const end = lines.findIndex((line) => notDescription.test(line));
  const text = beforeLicenceText(lines.slice(0, end < 0 ? lines.length : end).join(' '));
  const spoken = beginning(text.split(docTag, 1)[0] ?? '', maxDescription);
  if (/^\S+ (?:-+|v?\d+(?:\.\d+)+\S*)$/.test(spoken) || (spoken.match(/\p{L}{2,}/gu)?.length ?? 0) < 2)
    return undefined;
  return oneLine(spoken);
}
