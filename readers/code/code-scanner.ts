import type { Lexis } from './lexis.ts';
import { characterEnd, hereBody, rawStringEnd, regexEnd, templateEnd } from './special-tokens.ts';

/** A piece of prose in a program: a comment or a documentation string, with its marks. */
export interface Comment {
  readonly start: number;
  readonly text: string;
  readonly kind: 'line' | 'block' | 'string';
  /** Whether there is no code before it. */
  readonly first: boolean;
}

/** A program split into code and comments. */
export interface ScannedCode {
  /** The code without comments; of strings only short ones keep their words. */
  readonly code: string;
  readonly comments: readonly Comment[];
  /** Whether comments were left out because there were too many. */
  readonly cut: boolean;
}

const maxComments = 200_000;
const keptString = 120;
const maxPieces = 50_000;

interface Opener {
  readonly kind: 'line' | 'block' | 'string' | 'special';
  readonly place: 'anywhere' | 'word' | 'line';
  readonly close: string;
  readonly nests: boolean;
  readonly escapes: boolean;
  readonly lines: boolean;
  readonly doc: 'statement' | 'line' | undefined;
}

interface Openers {
  readonly pattern: RegExp;
  readonly byMark: ReadonlyMap<string, Opener>;
}

const known = new WeakMap<Lexis, Openers>();

/** Separate comments and strings from code; an unclosed one ends with the text or its line. */
export function scanCode(text: string, lexis: Lexis): ScannedCode {
  const { pattern, byMark } = openersOf(lexis);
  const search = new RegExp(pattern.source, 'g');
  const special = new Set(lexis.special);
  const comments: Comment[] = [];
  const joined: string[] = [];
  let code: string[] = [];
  let from = 0;
  let cut = false;
  // The last sign of code that is not white space; a documentation string is at the beginning or after a
  // colon.
  let lastSign = '';
  const take = (start: number) => {
    if (start <= from) return;
    const part = text.slice(from, start);
    code.push(part);
    lastSign = part.trimEnd().at(-1) ?? lastSign;
  };
  const drop = (start: number, end: number, instead: string) => {
    take(start);
    code.push(instead);
    // Millions of short pieces would take many times the memory of the text.
    if (code.length > maxPieces) {
      joined.push(code.join(''));
      code = [];
    }
    from = end;
    search.lastIndex = end;
  };
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const mark = match[0];
    const at = match.index;
    const opener = byMark.get(mark);
    if (opener === undefined) continue;
    if (opener.kind === 'special') {
      const end = specialEnd(text, at, mark, special);
      if (end === undefined) search.lastIndex = at + 1;
      else drop(at, end, '""');
      continue;
    }
    // A quote after a backslash is a character to the shell and to Lisp.
    const escaped = opener.kind === 'string' && text.charCodeAt(at - 1) === 92;
    if (escaped || !placed(text, at, opener.place)) {
      search.lastIndex = at + 1;
      continue;
    }
    if (opener.kind === 'string') {
      const end = stringEnd(text, at + mark.length, opener);
      const inside = text.slice(at + mark.length, Math.max(end - opener.close.length, at + mark.length));
      take(at);
      from = at;
      const documents = opener.doc === 'line' || lastSign === '' || lastSign === ':';
      if (opener.doc !== undefined && documents && firstOnLine(text, at)) {
        if (comments.length < maxComments)
          comments.push({ start: at, text: inside, kind: 'string', first: lastSign === '' });
        else cut = true;
      }
      drop(at, end, `${mark.charAt(0)}${harmless(inside)}${mark.charAt(0)}`);
      lastSign = '"';
      continue;
    }
    const end = opener.kind === 'line' ? lineEnd(text, at) : blockEnd(text, at + mark.length, mark, opener);
    take(at);
    from = at;
    if (comments.length < maxComments)
      comments.push({ start: at, text: text.slice(at, end), kind: opener.kind, first: lastSign === '' });
    else cut = true;
    drop(at, end, opener.kind === 'block' && text.startsWith('\n', end - 1) ? '\n' : ' ');
  }
  if (from < text.length) code.push(text.slice(from));
  joined.push(code.join(''));
  return { code: joined.join(''), comments, cut };
}

function specialEnd(
  text: string,
  at: number,
  mark: string,
  special: ReadonlySet<string>,
): number | undefined {
  if (mark === '/') return regexEnd(text, at);
  if (mark === '`') return templateEnd(text, at);
  if (mark === "'") return characterEnd(text, at);
  if (mark === '<<') return hereBody(text, at);
  return special.has('raw') ? rawStringEnd(text, at) : undefined;
}

function stringEnd(text: string, at: number, { close, escapes, lines }: Opener): number {
  for (let end = at; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 92 && escapes) end++;
    else if (code === 10 && !lines) return end;
    else if (code === close.charCodeAt(0) && text.startsWith(close, end)) return end + close.length;
  }
  return text.length;
}

function blockEnd(text: string, at: number, open: string, { close, nests }: Opener): number {
  if (!nests) {
    const end = text.indexOf(close, at);
    if (end < 0) return text.length;
    return close.startsWith('\n') ? lineEnd(text, end + close.length) : end + close.length;
  }
  let depth = 1;
  for (let end = at; end < text.length; end++) {
    if (text.startsWith(close, end)) {
      depth--;
      end += close.length - 1;
      if (depth === 0) return end + 1;
    } else if (text.startsWith(open, end)) {
      depth++;
      end += open.length - 1;
    }
  }
  return text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function placed(text: string, at: number, place: Opener['place']): boolean {
  if (place === 'anywhere' || at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (before === 10) return true;
  if (place === 'word') return before === 32 || before === 9 || before === 59;
  return false;
}

/** Max white space before a documentation string that is skipped. */
const maxIndent = 200;

function firstOnLine(text: string, at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < maxIndent; back--) {
    const code = text.charCodeAt(back);
    if (code === 10) return true;
    // A prefix such as r"""...""" belongs to the string.
    if (code !== 32 && code !== 9 && !(back === at - 1 && /[rRuUbB]/.test(text.charAt(back)))) return false;
  }
  return at < maxIndent;
}

/** A string's words without any sign that could be read as code. */
function harmless(inside: string): string {
  return inside.length > keptString || inside.includes('\n') ? '' : inside.replace(/[^\w./@:+ -]/g, '_');
}

function openersOf(lexis: Lexis): Openers {
  const found = known.get(lexis);
  if (found !== undefined) return found;
  const plain = {
    place: 'anywhere',
    close: '',
    nests: false,
    escapes: false,
    lines: false,
    doc: undefined,
  } as const;
  const byMark = new Map<string, Opener>();
  for (const special of lexis.special ?? [])
    for (const mark of specialMarks[special]) byMark.set(mark, { ...plain, kind: 'special' });
  for (const { open, close, escape: sign, lines, doc } of lexis.strings)
    byMark.set(open, {
      ...plain,
      kind: 'string',
      close: close ?? open,
      escapes: sign === 'backslash',
      lines: lines === true,
      doc,
    });
  for (const { open, close, nests, place } of lexis.blockComments)
    byMark.set(open, { ...plain, kind: 'block', place: place ?? 'anywhere', close, nests: nests === true });
  for (const [mark, place] of lexis.lineComments) byMark.set(mark, { ...plain, kind: 'line', place });
  const marks = [...byMark.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(marks.map((mark) => mark.replace(/[^\w]/g, '\\$&')).join('|'));
  const openers = { pattern, byMark };
  known.set(lexis, openers);
  return openers;
}

const specialMarks = {
  regex: ['/'],
  template: ['`'],
  raw: ['R"', 'r"', 'r#'],
  character: ["'"],
  here: ['<<'],
} as const;
