import { latin1Start } from '../../readers/bytes/index.ts';
import { isServerPage, withoutServerCode } from '../../readers/html/index.ts';
import { byteOrder } from '../../readers/text/index.ts';
import { withoutProlog } from './text-marks.ts';
import type { TypeName } from './type-names.ts';

const readBytes = 4096;
const readCode = 1024 * 1024;

interface Vocabulary {
  /** Types that the name or the first bytes give, under which the pattern is looked for. */
  readonly among: ReadonlySet<TypeName>;
  /** Whether the pattern begins at the root element, behind declarations and comments. */
  readonly markup?: true;
  readonly pattern: RegExp;
  readonly type: TypeName;
}

// A program on a web server, such as `rss.php`, gives its name to what it writes.
const marked: ReadonlySet<TypeName> = new Set([
  ...(['XML', 'HTML', 'SGML', 'Feed', 'Text', 'Unrecognized', 'OtherCode'] as const),
]);
const objects: ReadonlySet<TypeName> = new Set(['JSON', 'Text', 'Unrecognized', 'OtherCode']);
const lines: ReadonlySet<TypeName> = new Set([
  ...(['Text', 'Data', 'Unrecognized', 'Calendar', 'VCard', 'OtherCode'] as const),
]);
const messages: ReadonlySet<TypeName> = new Set(['Mail', 'Text', 'HTML', 'Unrecognized', 'MHTML']);

// The first that matches decides.
const vocabularies: readonly Vocabulary[] = [
  { among: marked, markup: true, pattern: /^<(?:\w{1,20}:)?rss\b/i, type: 'Feed' },
  {
    among: marked,
    markup: true,
    pattern: /^<(?:\w{1,20}:)?(?:feed|entry)\b[^>]*(?:w3\.org\/2005\/Atom|purl\.org\/atom)/i,
    type: 'Feed',
  },
  {
    among: marked,
    markup: true,
    pattern: /^<(?:\w{1,20}:)?RDF\b[^>]*(?:purl\.org\/rss\/1\.0|netscape\.com\/rdf\/simple)/i,
    type: 'Feed',
  },
  {
    among: new Set([...marked, 'MSWord']),
    markup: true,
    pattern: /^<(?:w:wordDocument\b|pkg:package\b[\s\S]*?"\/?word\/)/,
    type: 'MSWord',
  },
  { among: marked, markup: true, pattern: /^<opml\b/i, type: 'OPML' },
  { among: marked, markup: true, pattern: /^<(?:\w{1,20}:)?FictionBook\b/i, type: 'FictionBook' },
  {
    among: objects,
    pattern: /^\{[\s\S]*"version"\s*:\s*"https?:(?:\\?\/){2}(?:www\.)?jsonfeed\.org/,
    type: 'Feed',
  },
  {
    among: objects,
    pattern:
      /^\{\s*"(?:cells|worksheets|metadata|nbformat|nbformat_minor)"\s*:[\s\S]*"(?:cell_type|nbformat)"\s*:/,
    type: 'Notebook',
  },
  {
    // Word, Excel and wikis give such pages the names of their documents.
    among: new Set(['Text', 'Mail', 'Unrecognized', 'MSWord', 'MSExcel']),
    pattern:
      /^(?:(?!From:|To:|Received:|Return-Path:)[\w-]{1,60}:.{0,900}\r?\n|[ \t].{0,900}\r?\n){0,20}?Content-Type:\s*multipart\/related/i,
    type: 'MHTML',
  },
  { among: lines, pattern: /^BEGIN:VCALENDAR\s/i, type: 'Calendar' },
  { among: lines, pattern: /^BEGIN:VCARD\s/i, type: 'VCard' },
  { among: messages, pattern: /^From: ?(?:"?<Saved by |"?Saved by )/i, type: 'MHTML' },
  {
    among: messages,
    pattern: /^(?:[\w-]{1,60}:.{0,900}\r?\n|[ \t].{0,900}\r?\n){0,40}Snapshot-Content-Location:/i,
    type: 'MHTML',
  },
  {
    among: messages,
    pattern:
      /^\d{1,10}[ \t]*\r?\n(?:Received|Return-Path|From|To|Message-ID|Subject|Date|Delivered-To|X-[\w-]{1,40}|MIME-Version):[ \t]/i,
    type: 'Mail',
  },
  {
    among: new Set(['Text', 'Unrecognized']),
    pattern:
      /^(?:#[^+\n][^\n]{0,200}\n|#?[ \t\r]{0,9}\n){0,20}#\+(?:TITLE|AUTHOR|STARTUP|OPTIONS|DATE|SETUPFILE|FILETAGS|LANGUAGE):/i,
    type: 'Org',
  },
  {
    among: new Set(['Text', 'Unrecognized']),
    pattern: /^#?[^\n]{0,80}-\*-[^\n]{0,40}\bmode:\s*org\b/i,
    type: 'Org',
  },
  {
    // A section with a setting, as in desktop entries and units of systemd.
    among: new Set(['Text', 'Unrecognized']),
    pattern:
      /^(?:[#;][^\n]{0,300}\n|[ \t\r]{0,9}\n){0,40}\[[^\]\n]{1,100}\][ \t\r]{0,9}\n(?:[#;][^\n]{0,300}\n|[ \t\r]{0,9}\n){0,40}[A-Za-z][\w.-]{0,60}(?:\[[\w@.-]{1,20}\])?[ \t]{0,9}=/,
    type: 'Configuration',
  },
  {
    // pkg-config: variables, then fields.
    among: new Set(['Text', 'Unrecognized']),
    pattern:
      /^(?:#[^\n]{0,300}\n|[ \t\r]{0,9}\n|[A-Za-z_]\w{0,60}[ \t]{0,9}=[^\n]{0,500}\n){0,40}Name:[^\n]{1,200}\n(?:[A-Z][\w.]{0,40}:[^\n]{0,2000}\n|[ \t\r]{0,9}\n|#[^\n]{0,300}\n){0,20}(?:Libs|Cflags|Requires|Version):/,
    type: 'Configuration',
  },
];

const doctype = /^<!DOCTYPE\s+(?!html)[^>[]{0,1000}(?:\[[^\]]{0,4000}\])?\s*>\s*/i;

const among: ReadonlySet<TypeName> = new Set([
  ...vocabularies.flatMap((vocabulary) => [...vocabulary.among]),
  'OtherCode',
]);

/** The type of a document in a wide format whose beginning shows its vocabulary; undefined for others. */
export function vocabularyOf(type: TypeName, bytes: Uint8Array, name: string): TypeName | undefined {
  if (!among.has(type)) return undefined;
  const start = startOf(bytes, latin1Start(bytes, readBytes));
  const markup = withoutProlog(withoutProlog(start).replace(doctype, ''));
  const found = vocabularies.find(
    ({ among: types, markup: behind, pattern }) => types.has(type) && pattern.test(behind ? markup : start),
  );
  return found?.type ?? serverPage(type, bytes, name, start);
}

function startOf(bytes: Uint8Array, latin1: string): string {
  const text = byteOrder(bytes) === undefined ? latin1 : latin1.replaceAll('\0', '');
  return text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').trimStart();
}

const mayBePage: ReadonlySet<TypeName> = new Set(['OtherCode', 'Text', 'Unrecognized']);
const tags = /<(?:!doctype|html|head|body|title|div|p|table|h[1-6]|ul|form|span|a)[\s>]/i;

/** PHP, ASP or JSP is a page when there is HTML around its programs, else source code. */
function serverPage(type: TypeName, bytes: Uint8Array, name: string, start: string): TypeName | undefined {
  if (!mayBePage.has(type) || !start.includes('<') || !isServerPage(name, start)) return undefined;
  return tags.test(withoutServerCode(latin1Start(bytes, readCode))) ? 'HTML' : undefined;
}
