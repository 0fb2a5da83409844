import { editorLanguage, interpreterOf, languageOfInterpreter } from '../../readers/code/index.ts';
import { type TypeName, typeMediaTypes } from './type-names.ts';

/** The type that a text shows. */
export interface TextMark {
  readonly type: TypeName;
  readonly mediaType?: string;
  /** Whether no text of another type begins so. */
  readonly certain: boolean;
}

const xhtml = 'application/xhtml+xml';

// Matched against the text after the XML declaration and leading comments.
const markupPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [/^<(?:!doctype\s+html|html|head|body|title)\b/i, 'HTML'],
  [/^<(?:rss|feed)\b/i, 'Feed'],
  [/^<rdf:RDF\b/i, 'XML'],
  [/^<(?:!doctype\s+)?svg\b/i, 'Image'],
];

const wholePage = /^<(?:!doctype\s+html\b|html[\s>])/i;
const svgProlog = /^<(?:\?xml|!doctype\s+svg)\b/i;

// Matched against the beginning of a text without byte order mark and white space.
const certainPatterns: readonly (readonly [RegExp, TypeName, string?])[] = [
  [/^<\?xml\s+version\s*=/, 'XML'],
  [/^<(?:!DOCTYPE\s+TS\b|TS\s+version=)/, 'XML'],
  [/^\/\* XPM \*\//, 'Image', 'image/x-xpixmap'],
  [/^P[1-6]\s{1,9}(?:#[^\n]{0,200}\s{1,9}){0,9}\d{1,6}\s{1,9}\d{1,6}\s/, 'Image', 'image/x-portable-anymap'],
];

const scriptPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [/^(?:#!.{0,100}\r?\n)?(?::\r?\n)?#.{0,10}this is a shell archive/i, 'ShellArchive'],
  // A shell starts the interpreter of the rest.
  [/^#!.{0,80}sh\b.{0,20}\n(?:#.{0,200}\n){0,9}exec\s+\S{0,80}(?:tclsh|wish)/, 'Tcl'],
  [/^#!.{0,80}sh\b.{0,20}\n(?:#.{0,200}\n|\s*\n){0,9}eval\s+'\(?exec\s+\S{0,80}perl/, 'Perl'],
];

const textPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [/^<\?xml\s/i, 'XML'],
  [/^<!(?:doctype|element|entity)\s/i, 'SGML'],
  [/^<(?:h[1-6]|p|div|table|script|style|a|ul|ol|br|font|center|meta|link|!--)[\s>-]/i, 'HTML'],
  [/^<\?php\s/, 'OtherCode'],
  [/^<[A-Za-z][\w:.-]{0,60}\s+(?:xmlns(?::\w{1,20})?|version)\s*=/, 'XML'],
  [/^(?:[.']\\".*\n)*\.(?:TH|Dd)\s/, 'ManPage'],
  [/^\\input\s+texinfo\b/, 'Texinfo'],
  [/^head\s+[\d.]+;/, 'RCS'],
  [/^TY {1,3}- /, 'Bibliographic'],
  [/^From [0-9a-f]{40} /, 'Patch'],
  [/^(?:\.\\".*\n)*\.TL\b/, 'Troff'],
  [/^(?:\.\\".*\n)*\.so\s+man\d/, 'ManPage'],
  [/^(?:diff -|Index: \S|--- \S+.*\n\+\+\+ \S)/, 'Patch'],
  [/^begin(?:-base64)? [0-7]{3,4} \S/, 'Uuencoded'],
  [/^(?:From \S+@\S+ |Return-Path: |Received: from |Message-ID: <)/i, 'Mail'],
  [/^(?:Path|Newsgroups|Xref): /, 'News'],
  [/^\(This file must be converted with BinHex.{0,40}\)\s*:/m, 'MacCompressed'],
  [/^(?:%.{0,300}\n\s{0,20}){0,50}\\(?:documentclass|documentstyle|input\{|begin\{document\})/, 'Tex'],
  [/^@(?:article|book|inproceedings|misc|techreport|phdthesis)\s*\{/i, 'Bibliographic'],
  [/^(?:\{\s*"(?:[^"\\\n]|\\.){0,200}"\s*:|\[\s*(?:\{\s*"|\[\s*[\d"[-]))/, 'JSON'],
];

const cPatterns: readonly (readonly [RegExp, TypeName])[] = [
  [
    /^#[ \t]*(?:pragma[ \t]+once\b|ifndef[ \t]+(\w{1,200})[ \t]*\r?\n[ \t]*#[ \t]*define[ \t]+\1\b)/,
    'CHeader',
  ],
  [/^#define[ \t]+\w{0,80}width[ \t]+\d+\s+#define[ \t]+\w{0,80}height[ \t]/, 'Image'],
  [/^#[ \t]*include[ \t]*(?:[<"][\w./+-]+\.h[>"]|[<"][\w./+-]+[>"][^;{]*[;{])/, 'C'],
];

/**
 * The type that the beginning of a text shows. `start`: without byte order mark and white space; `Text` when it
 * shows nothing else.
 */
export function markOfText(start: string): TextMark {
  const markup = withoutProlog(start);
  const isXml = start.startsWith('<?xml');
  const root = markupPatterns.find(([pattern]) => pattern.test(markup))?.[1];
  if (root === 'HTML')
    return { type: root, ...(isXml && { mediaType: xhtml }), certain: wholePage.test(markup) };
  if (root === 'Image') return { type: root, mediaType: 'image/svg+xml', certain: svgProlog.test(start) };
  if (root !== undefined) return { type: root, certain: false };
  for (const [pattern, type, mediaType] of certainPatterns)
    if (pattern.test(start)) return { type, ...(mediaType && { mediaType }), certain: true };
  const script = scriptPatterns.find(([pattern]) => pattern.test(start))?.[1];
  if (script !== undefined) return { type: script, certain: false };
  const spoken = scriptType(start);
  if (spoken !== undefined) return spoken;
  const plain = textPatterns.find(([pattern]) => pattern.test(start))?.[1] ?? unnamedType(start);
  return { type: plain ?? 'Text', certain: false };
}

/** A shell may only start another program on the same file, so that it is not certain. */
function scriptType(start: string): TextMark | undefined {
  if (!start.startsWith('#!')) return undefined;
  const interpreter = interpreterOf(start)?.toLowerCase() ?? '';
  if (/^[gbn]?make$/.test(interpreter)) return { type: 'Makefile', certain: true };
  const language = languageOfInterpreter(interpreter);
  const isShell =
    language === undefined || language.interpreters.includes('sh') || language.name === 'C shell';
  if (isShell && /sh[\d.-]*$/.test(interpreter)) return { type: 'ShellScript', certain: false };
  if (language === undefined && !/^#![ \t]*\//.test(start)) return undefined;
  return {
    type: language === undefined ? 'OtherCode' : typeOfLanguage(language),
    certain: language !== undefined,
  };
}

/** The type of programs in a language. */
export function typeOfLanguage({ types }: { readonly types: readonly string[] }): TypeName {
  return (types.find((type) => Object.hasOwn(typeMediaTypes, type)) as TypeName | undefined) ?? 'OtherCode';
}

/** Texts whose lines together show a type: mail headers, C behind its comments, a line of an editor. */
function unnamedType(start: string): TypeName | undefined {
  const language = editorLanguage(start);
  if (language !== undefined) return typeOfLanguage(language);
  if (/^[A-Z][\w-]{1,40}:[ \t]/.test(start)) {
    const [head = ''] = start.split(/\r?\n\r?\n/, 1);
    if (/^From:[ \t]/m.test(head) && /^(?:Date|Message-ID|MIME-Version|Received):[ \t]/im.test(head))
      return 'Mail';
  }
  const code = without(start, commentMarks);
  return cPatterns.find(([pattern]) => pattern.test(code))?.[1];
}

/** Markup after the XML declaration and leading comments. */
export function withoutProlog(start: string): string {
  return without(start, prologMarks);
}

const commentMarks = [
  ['/*', '*/'],
  ['//', '\n'],
] as const;
const prologMarks = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

// A loop, because one expression over repeated comments would backtrack through every division of them.
function without(start: string, marks: readonly (readonly [open: string, close: string])[]): string {
  let rest = start;
  for (;;) {
    const close = marks.find(([open]) => rest.startsWith(open))?.[1];
    const at = close === undefined ? -1 : rest.indexOf(close);
    if (close === undefined || at < 0) return rest;
    rest = rest.slice(at + close.length).trimStart();
  }
}
